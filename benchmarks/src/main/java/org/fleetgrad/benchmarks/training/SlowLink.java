package org.fleetgrad.benchmarks.training;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.synth.SyntheticDigits;

/**
 * Measures two workers that push every batch, each behind a link of 100 Mbit/s: their speed, the bytes transferred for
 * each sample, and the final accuracy. Each training has a new server, and the same initial parameters and samples.
 */
public record SlowLink(Workbench bench) {

    /** One way of sending gradients and receiving parameters, with additional parameters of a worker's {@code /run}. */
    private record Variant(String word, String what, Map<String, Object> parameters) {

        static final Variant PLAIN = new Variant("f32", "as they are", Map.of());

        /** All variants, the plain one first. */
        static final List<Variant> ALL = List.of(
                PLAIN, of("f16", "f16"), of("bf16", "bf16"), of("i8", "i8"), of("topk", "i8"), of("2bit", "i8"));

        private static Variant of(String gradients, String pulled) {
            return new Variant(
                    gradients,
                    "gradients as %s, parameters as %s".formatted(gradients, pulled),
                    Map.of("encoding", gradients, "pull_encoding", pulled));
        }
    }

    private static final int WORKERS = 2;
    private static final int SAMPLES = 16_000;
    private static final int TEST_SAMPLES = 2_000;
    private static final int TEST_SEED = 2;
    static final double BITS_A_SECOND = 100e6;
    private static final double MODEL_BITS = 8 * 247_000.0;
    private static final double KILOBYTE = 1_000;

    public List<Figure> measure() throws Exception {
        ImageSamples digits = SyntheticDigits.generate(SAMPLES, 1);
        ImageSamples test = SyntheticDigits.generate(TEST_SAMPLES, TEST_SEED);
        WarmFleet fleet = WarmFleet.start(bench, WORKERS, digits);
        try (Accuracy accuracy = new Accuracy(HeldOut.of(test, Normalization.of(digits), TEST_SAMPLES))) {
            Programs.Server first = bench.programs().startServerWithParameters();
            fleet.train(first, 1);
            Programs.end(first.process());
            Comparison<Variant> comparison = bench.compareAll(Variant.ALL, variant -> train(variant, fleet, accuracy));
            List<Figure> figures = new ArrayList<>();
            for (Variant variant : Variant.ALL) {
                figures.addAll(figures(variant, comparison));
            }
            return figures;
        }
    }

    /** Returns samples per second, bytes transferred for each sample, and the accuracy. */
    private double[] train(Variant variant, WarmFleet fleet, Accuracy accuracy) throws Exception {
        Programs.Server server = bench.programs().startServerWithParameters();
        try {
            ThrottledLink.Training training = ThrottledLink.train(
                    server, fleet.requests(server.address(), 1), BITS_A_SECOND, variant.parameters());
            bench.progress(
                    "%s: %.0f samples/s, %d bytes", variant.word(), training.samplesPerSecond(), training.bytes());
            return new double[] {
                training.samplesPerSecond(), (double) training.bytes() / SAMPLES, accuracy.of(server.parameters())
            };
        } finally {
            Programs.end(server.process());
        }
    }

    private static List<Figure> figures(Variant variant, Comparison<Variant> comparison) {
        String what = "2 workers, 100 Mbit/s each, " + variant.what();
        if (variant.equals(Variant.PLAIN)) {
            double allowed = WORKERS * RunRequest.BATCH * BITS_A_SECOND / MODEL_BITS / 2;
            return List.of(
                    Figure.of("link-f32", what)
                            .ours(comparison.of(variant), "samples/s")
                            .limit(allowed, "a push and a pull one after the other fill the link"),
                    Figure.of("link-f32-accuracy", what + ", after %,d samples".formatted(SAMPLES))
                            .ours(comparison.of(variant, 2), "share")
                            .limit(1, "every held-out digit right"));
        }
        String plain = "gradients and parameters as they are";
        return List.of(
                Figure.of("link-" + variant.word(), what)
                        .ours(comparison.of(variant), "samples/s")
                        .rival(comparison.of(Variant.PLAIN), plain),
                Figure.of("link-%s-bytes".formatted(variant.word()), what + ", both ways")
                        .ours(comparison.of(variant, 1).map(bytes -> bytes / KILOBYTE), "KB/sample")
                        .rival(comparison.of(Variant.PLAIN, 1).map(bytes -> bytes / KILOBYTE), plain),
                Figure.of("link-%s-accuracy".formatted(variant.word()), what + ", after %,d samples".formatted(SAMPLES))
                        .ours(comparison.of(variant, 2), "share")
                        .rival(comparison.of(Variant.PLAIN, 2), plain));
    }
}
