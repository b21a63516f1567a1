package org.fleetgrad.inference.evaluation;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.messages.RunMessages.PutAccuracyRequest;
import org.fleetgrad.serving.CachedClassifier;
import org.fleetgrad.serving.Classifiers;
import org.fleetgrad.serving.ServedNetwork;
import org.fleetgrad.serving.evaluation.Evaluation;
import org.fleetgrad.serving.evaluation.Evaluator;
import org.fleetgrad.serving.evaluation.TestSet;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evaluates the newest version, round by round, and reports each outcome until the server accepts it or a newer one replaces
 * it; the server keeps the parameters of the best. One thread runs the rounds and closes the evaluation; other threads may read
 * the newest outcome.
 */
public final class BackgroundEvaluation {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundEvaluation.class);
    private static final int CONFLICT = 409;
    /** How often it asks whether workers train while an evaluation waits for its turn. */
    private static final Duration LOOK = Duration.ofMillis(250);

    private final AwaitedTestSet testSet;
    private final Evaluator evaluator;
    private final Classifiers classifiers;
    private final CachedClassifier classifier;
    private final NewestParameters newest;
    private final HeldOutScores scores;
    private final AccuracySink sink;
    private final EvaluationPace pace;
    private final BooleanSupplier isTraining;
    private @Nullable Unreported unreported;
    private volatile @Nullable String failure;
    private volatile @Nullable Evaluation last;
    private volatile @Nullable Evaluation best;

    /** The parameters stay in memory until the server has the outcome: it asks for those of the best version. */
    private record Unreported(Evaluation outcome, Pulled evaluated) {}

    /**
     * Makes an evaluation; opens no network before the samples are found and the first version arrives.
     *
     * @param memoryBytes memory that a batch of samples may take, besides the network's own
     * @param classifiers opens the instance of the network
     * @param pace        when an evaluation is due
     * @param isTraining  whether workers would get the processors that an evaluation takes
     */
    public BackgroundEvaluation(
            AwaitedTestSet testSet,
            long memoryBytes,
            Classifiers classifiers,
            NewestParameters newest,
            HeldOutScores scores,
            AccuracySink sink,
            EvaluationPace pace,
            BooleanSupplier isTraining,
            Clock clock) {
        this.testSet = testSet;
        this.evaluator = Evaluator.within(memoryBytes, clock);
        this.classifiers = classifiers;
        this.classifier = new CachedClassifier(classifiers);
        this.newest = newest;
        this.scores = scores;
        this.sink = sink;
        this.pace = pace;
        this.isTraining = isTraining;
    }

    public Optional<Evaluation> last() {
        return Optional.ofNullable(last);
    }

    /** Returns the best outcome of this process; of equally good ones the later, as the server has it. */
    public Optional<Evaluation> best() {
        return Optional.ofNullable(best);
    }

    /** Returns why the newest version is not evaluated; empty if it is, or will be. */
    public Optional<String> detail() {
        return testSet.detail().or(() -> Optional.ofNullable(failure));
    }

    /**
     * Evaluates the newest version unless it was evaluated before, reports an unreported outcome, and returns the pause
     * before the next round: the interval, or longer without samples that fit the version's network. While workers train, a
     * version waits until its evaluation is due.
     */
    public Duration round() {
        Optional<Pulled> next = newest.get();
        Duration left = next.isPresent() ? untilDue() : Duration.ZERO;
        if (!left.isZero()) {
            return left.compareTo(LOOK) < 0 ? left.plusMillis(1) : LOOK;
        }
        if (next.isEmpty()) {
            if (testSet.poll().isEmpty()) {
                return testSet.pause();
            }
        } else if (!evaluate(next.get())) {
            return testSet.pause();
        }
        if (unreported != null) {
            report(unreported);
        }
        return pace.pause();
    }

    private Duration untilDue() {
        Duration alone = pace.untilDueAlone();
        Duration training = pace.untilDue();
        return alone.isZero() && !training.isZero() && isTraining.getAsBoolean() ? training : alone;
    }

    /** Returns whether there were samples for it; without them, it waits. */
    private boolean evaluate(Pulled pulled) {
        try {
            ServedNetwork network = classifiers.networkOf(pulled.parameters());
            Optional<TestSet> samples = testSet.pollFor(network, pulled.parameters());
            if (samples.isEmpty()) {
                return false;
            }
            scores.expect(pulled.version());
            Evaluation outcome = evaluator.evaluate(
                    pulled.version(), pulled.parameters(), network, samples.get(), classifier.of(network));
            last = outcome;
            if (best().filter(known -> known.score().isBetterThan(outcome.score()))
                    .isEmpty()) {
                best = outcome;
            }
            unreported = new Unreported(outcome, pulled);
            failure = null;
            pace.ended(outcome.duration(), outcome.score());
            scores.record(new ScoredVersion(outcome.version(), outcome.score()));
        } catch (IllegalArgumentException unfit) {
            failure = "version %s is not evaluated: %s".formatted(pulled.version(), unfit.getMessage());
            LOG.info("{}", failure);
        }
        // Dropped even if it does not fit: only another version can.
        newest.drop(pulled);
        return true;
    }

    private void report(Unreported evaluated) {
        Evaluation outcome = evaluated.outcome();
        try {
            sink.report(outcome.report(), evaluated.evaluated());
            unreported = null;
        } catch (ProblemException refused) {
            // 409: the history of the version is gone, so nobody needs its accuracy any more.
            if (refused.problem().status() != CONFLICT) {
                LOG.warn("the accuracy of version {} was refused: {}", outcome.version(), refused.getMessage());
            }
            unreported = null;
        } catch (IOException unreachable) {
            LOG.debug(
                    "the accuracy of version {} could not be reported yet: {}",
                    outcome.version(),
                    unreachable.getMessage());
        }
    }

    /** Gives the network's memory back, after the last round and on its thread; so it is no bean's destroy method. */
    public void end() {
        classifier.close();
    }

    @FunctionalInterface
    public interface AccuracySink {

        /** Reports an outcome and the parameters that it is of; 409 means that the history of the evaluated version is gone. */
        void report(PutAccuracyRequest evaluation, Pulled evaluated) throws IOException;
    }
}
