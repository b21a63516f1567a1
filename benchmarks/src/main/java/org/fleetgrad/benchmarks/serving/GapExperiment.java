package org.fleetgrad.benchmarks.serving;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.fleetgrad.benchmarks.training.HeldOut;
import org.fleetgrad.benchmarks.training.WorkerAnswers;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;

/**
 * Asks two workers, one of which has an older version, about the same held-out images. Each has a network of its own.
 */
final class GapExperiment {

    /**
     * How much two workers disagree, over pairs of versions.
     *
     * @param interval batches of a version
     * @param gap      versions that one worker is behind the other
     * @param mean     share of the images on which they name different classes, the mean of all pairs
     * @param most     the largest share of a pair
     * @param accuracy share of right answers of the newer worker, the mean of all pairs
     */
    record Figure(int interval, int gap, long samplesApart, int pairs, double mean, double most, double accuracy) {}

    private final NetworkDefinition definition = Networks.usual(Networks.DEFAULT);
    private final Samples train;
    private final HeldOut heldOut;
    private final GapPlan plan;
    private final long seed;

    /** @param seed of the training */
    GapExperiment(Samples train, Samples test, GapPlan plan, long seed) {
        this.train = train;
        this.heldOut = HeldOut.of(test, Normalization.of(train), plan.images());
        this.plan = plan;
        this.seed = seed;
    }

    private record Both(WorkerAnswers one, WorkerAnswers other) {}

    /** Measures each interval and gap; throws if two workers with one version answer differently, even in one bit. */
    List<Figure> measure(Consumer<String> progress) {
        List<Figure> figures = new ArrayList<>();
        for (int interval : plan.intervals()) {
            Map<Long, Both> answers = train(interval);
            for (int gap : plan.gaps()) {
                figures.add(figure(interval, gap, answers));
            }
            progress.accept("a version every %d batches: done".formatted(interval));
        }
        return figures;
    }

    private Map<Long, Both> train(int interval) {
        Map<Long, Both> answers = new HashMap<>();
        try (LocalTraining training = new LocalTraining(definition, train, seed);
                Network second = Libtorch.open(definition, Device.CPU)) {
            for (long version = 0; version <= plan.last(interval); version++) {
                training.load();
                if (plan.isNeeded(interval, version)) {
                    second.load(training.newest().parameters());
                    answers.put(
                            version,
                            new Both(WorkerAnswers.of(training.network(), heldOut), WorkerAnswers.of(second, heldOut)));
                }
                training.learn(interval);
            }
        }
        return answers;
    }

    private Figure figure(int interval, int gap, Map<Long, Both> answers) {
        List<Long> newer = plan.newer(interval);
        double sum = 0;
        double most = 0;
        double right = 0;
        for (long version : newer) {
            WorkerAnswers one = Objects.requireNonNull(answers.get(version)).one();
            WorkerAnswers other =
                    Objects.requireNonNull(answers.get(version - gap)).other();
            if (gap == 0) {
                requireSame(version, one, other);
            }
            double share = one.disagreement(other);
            sum += share;
            most = Math.max(most, share);
            right += one.accuracy(heldOut.labels());
        }
        return new Figure(
                interval,
                gap,
                (long) gap * interval * LocalTraining.BATCH,
                newer.size(),
                sum / newer.size(),
                most,
                right / newer.size());
    }

    static void requireSame(long version, WorkerAnswers one, WorkerAnswers other) {
        if (!one.isSame(other)) {
            throw new IllegalStateException(
                    "two workers with version %d answer differently: equal versions must answer equally"
                            .formatted(version));
        }
    }
}
