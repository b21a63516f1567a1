package org.fleetgrad.evaluator;

import java.io.IOException;
import java.util.function.Consumer;
import org.fleetgrad.evaluator.outcome.Outcomes;
import org.fleetgrad.evaluator.outcome.Outcomes.EvaluationOutcome;
import org.fleetgrad.evaluator.source.Versions;
import org.fleetgrad.evaluator.source.Versions.NamedVersion;
import org.fleetgrad.serving.CachedClassifier;
import org.fleetgrad.serving.Classifiers;
import org.fleetgrad.serving.ServedNetwork;
import org.fleetgrad.serving.evaluation.Evaluation;
import org.fleetgrad.serving.evaluation.Evaluator;
import org.fleetgrad.serving.evaluation.TestSet;

/** Evaluates one version after the other, and passes on each result. Confined to one thread. */
final class VersionEvaluation implements Versions.Visitor, AutoCloseable {

    private final TestSet samples;
    private final Evaluator evaluator;
    private final Classifiers classifiers;
    private final CachedClassifier classifier;
    private final long most;
    private final Sink sink;
    private final Consumer<String> log;
    private final Outcomes outcomes = new Outcomes();

    /** Takes each result, and the version that it is of. */
    @FunctionalInterface
    interface Sink {
        void take(EvaluationOutcome outcome, NamedVersion version, boolean isBest) throws IOException;
    }

    /**
     * @param most   number of evaluations after which it ends
     * @param log receives a line about each version that cannot be evaluated
     */
    VersionEvaluation(
            TestSet samples, Evaluator evaluator, Classifiers classifiers, long most, Sink sink, Consumer<String> log) {
        this.samples = samples;
        this.evaluator = evaluator;
        this.classifiers = classifiers;
        this.classifier = new CachedClassifier(classifiers);
        this.most = most;
        this.sink = sink;
        this.log = log;
    }

    Outcomes outcomes() {
        return outcomes;
    }

    @Override
    public boolean visit(NamedVersion version) throws IOException, InterruptedException {
        EvaluationOutcome outcome;
        try {
            ServedNetwork network = classifiers.networkOf(version.parameters());
            samples.requireFor(network);
            Evaluation measured = evaluator.evaluate(
                    version.version(), version.parameters(), network, samples, classifier.of(network));
            outcome = new EvaluationOutcome(version.name(), measured);
        } catch (IllegalArgumentException unfit) {
            // Another version may fit, or may not have diverged.
            log.accept("%s is not evaluated: %s"
                    .formatted(
                            version.name().isEmpty() ? "version " + version.version() : version.name(),
                            unfit.getMessage()));
            return true;
        }
        sink.take(outcome, version, outcomes.add(outcome));
        if (Thread.interrupted()) {
            throw new InterruptedException("after an evaluation");
        }
        return outcomes.all().size() < most;
    }

    @Override
    public void close() {
        classifier.close();
    }
}
