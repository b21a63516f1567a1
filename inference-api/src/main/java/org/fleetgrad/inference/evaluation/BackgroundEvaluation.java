package org.fleetgrad.inference.evaluation;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.inference.model.AccuracyBoard;
import org.fleetgrad.inference.model.Classifier;
import org.fleetgrad.inference.model.HeldOutAccuracy;
import org.fleetgrad.inference.model.NewestParameters;
import org.fleetgrad.protocol.messages.PutAccuracyRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evaluates the newest version, round by round, and reports each outcome until the server takes it or a newer one
 * replaces it. One thread runs the rounds and closes the evaluation; other threads may read the newest outcome.
 */
public final class BackgroundEvaluation implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundEvaluation.class);
    private static final int CONFLICT = 409;
    /** Pauses three times as long as it worked: evaluation takes at most a quarter of a processor from training. */
    private static final int REST = 3;

    private final AwaitedTestSet testSet;
    private final int batch;
    private final Clock clock;
    private final Supplier<Classifier> opener;
    private final NewestParameters newest;
    private final AccuracyBoard accuracies;
    private final AccuracySink sink;
    private final Duration interval;
    private @Nullable Evaluator evaluator;
    private @Nullable Classifier classifier;
    private @Nullable Evaluation unreported;
    private Optional<Pulled> seen = Optional.empty();
    private volatile @Nullable Evaluation last;

    /**
     * Makes an evaluation; opens no network before the samples are found and the first version comes.
     *
     * @param opener   opens one instance of the network
     * @param batch    samples in one batch
     * @param interval pause between two evaluations
     */
    public BackgroundEvaluation(
            AwaitedTestSet testSet,
            int batch,
            Supplier<Classifier> opener,
            NewestParameters newest,
            AccuracyBoard accuracies,
            AccuracySink sink,
            Duration interval,
            Clock clock) {
        this.testSet = testSet;
        this.batch = batch;
        this.clock = clock;
        this.opener = opener;
        this.newest = newest;
        this.accuracies = accuracies;
        this.sink = sink;
        this.interval = interval;
    }

    /** Returns the newest outcome. */
    public Optional<Evaluation> last() {
        return Optional.ofNullable(last);
    }

    /**
     * Evaluates the newest version unless it was evaluated before, reports an unreported outcome, and returns the pause
     * before the next round: the interval, or longer after a long evaluation or without samples.
     */
    public Duration round() {
        if (evaluator == null) {
            Optional<TestSet> samples = testSet.look();
            if (samples.isEmpty()) {
                return testSet.pause();
            }
            evaluator = new Evaluator(samples.get(), batch, clock);
        }
        Optional<Pulled> next = newest.get();
        if (next.isPresent() && !next.equals(seen)) {
            // Marked as seen even if it does not fit: only another version can.
            seen = next;
            evaluate(evaluator, next.get());
        }
        if (unreported != null) {
            report(unreported);
        }
        Duration rest = last == null ? Duration.ZERO : last.duration().multipliedBy(REST);
        return interval.compareTo(rest) > 0 ? interval : rest;
    }

    private void evaluate(Evaluator with, Pulled pulled) {
        if (classifier == null) {
            classifier = opener.get();
        }
        try {
            Evaluation outcome = with.evaluate(pulled, classifier);
            last = outcome;
            unreported = outcome;
            accuracies.offer(new HeldOutAccuracy(outcome.version(), outcome.accuracy()));
        } catch (IllegalArgumentException unfit) {
            LOG.info("version {} is not evaluated: {}", pulled.version(), unfit.getMessage());
        }
    }

    private void report(Evaluation outcome) {
        try {
            sink.report(new PutAccuracyRequest(
                    outcome.version().generation(),
                    outcome.version().version(),
                    outcome.accuracy(),
                    outcome.loss(),
                    outcome.samples()));
            unreported = null;
        } catch (ProblemException refused) {
            // 409: the history of the version is gone, so nobody needs its accuracy any more.
            if (refused.problem().status() != CONFLICT) {
                LOG.warn("the accuracy of version {} was refused: {}", outcome.version(), refused.getMessage());
            }
            unreported = null;
        } catch (IOException away) {
            LOG.debug("the accuracy of version {} could not be reported yet: {}", outcome.version(), away.getMessage());
        }
    }

    @Override
    public void close() {
        if (classifier != null) {
            classifier.close();
            classifier = null;
        }
    }
}
