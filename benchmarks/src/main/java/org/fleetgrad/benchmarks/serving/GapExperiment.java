package org.fleetgrad.benchmarks.serving;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.fleetgrad.benchmarks.training.HeldOut;
import org.fleetgrad.benchmarks.training.WorkerAnswers;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
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

    /**
     * What to compare.
     *
     * @param samples   samples that each training sees, however many batches make a version
     * @param intervals batches of a version
     * @param gaps      versions between the two workers
     * @param pairs     pairs of versions for each gap
     * @param images    held-out images that both workers are asked about
     */
    record Plan(long samples, List<Integer> intervals, List<Integer> gaps, int pairs, int images) {

        Plan {
            int widest = gaps.stream().mapToInt(Integer::intValue).max().orElse(0);
            for (int interval : intervals) {
                long last = last(samples, interval);
                if (newer(last, pairs - 1, pairs) < widest) {
                    throw new IllegalArgumentException(
                            "%d samples make %d versions of %d batches; a gap of %d versions in their second half takes more"
                                    .formatted(samples, last, interval, widest));
                }
            }
        }

        private static long last(long samples, int interval) {
            return samples / ((long) LocalTraining.BATCH * interval);
        }

        private static long newer(long last, int pair, int pairs) {
            return last - pair * (last / 2) / pairs;
        }

        /** Returns the last version of a training with this interval. */
        long last(int interval) {
            return last(samples, interval);
        }

        /** Returns the newer version of each pair, the newest first: evenly over the second half of the training. */
        List<Long> newer(int interval) {
            long last = last(interval);
            return IntStream.range(0, pairs)
                    .mapToObj(pair -> newer(last, pair, pairs))
                    .toList();
        }

        boolean isNeeded(int interval, long version) {
            return newer(interval).stream()
                    .flatMapToLong(newer -> gaps.stream().flatMapToLong(gap -> LongStream.of(newer - gap)))
                    .anyMatch(needed -> needed == version);
        }
    }

    private final NetworkDefinition definition = Networks.usual("lenet5");
    private final ImageSamples train;
    private final HeldOut heldOut;
    private final Plan plan;
    private final long seed;

    /** @param seed of the training */
    GapExperiment(ImageSamples train, ImageSamples test, Plan plan, long seed) {
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
        DoubleSummaryStatistics shares = new DoubleSummaryStatistics();
        double right = 0;
        for (long version : newer) {
            WorkerAnswers one = Objects.requireNonNull(answers.get(version)).one();
            WorkerAnswers other =
                    Objects.requireNonNull(answers.get(version - gap)).other();
            if (gap == 0) {
                requireSame(version, one, other);
            }
            shares.accept(one.disagreement(other));
            right += one.accuracy(heldOut.labels());
        }
        return new Figure(
                interval,
                gap,
                (long) gap * interval * LocalTraining.BATCH,
                newer.size(),
                shares.getAverage(),
                shares.getMax(),
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
