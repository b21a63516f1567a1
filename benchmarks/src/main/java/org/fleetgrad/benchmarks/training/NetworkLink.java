package org.fleetgrad.benchmarks.training;

import java.util.List;
import java.util.Map;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.process.Workbench;

/**
 * Measures two workers on ResNet-18, each behind a link of 100 Mbit/s, with encodings and without. The link takes 3.6 s
 * for the parameters in float32, so its time is nearly all there is: at best, speed grows as the bytes shrink.
 */
public record NetworkLink(Workbench bench) {

    private static final int BATCHES = 3;

    /** Bytes of a value both ways: 8 as it is, 3 and 2 with these. */
    private record Side(String gradients, String pulled, int bytes) {

        static final Side PLAIN = new Side("f32", "f32", 8);
        static final List<Side> ALL = List.of(PLAIN, new Side("i8", "bf16", 3), new Side("i8", "i8", 2));
    }

    public List<Figure> measure() throws Exception {
        LargeFleet fleet = LargeFleet.start(bench, BATCHES);
        // Warms up both sides; no link yet.
        WarmFleet.train(fleet.server().client(), fleet.requests());
        Comparison<Side> comparison = bench.compare(Side.ALL, side -> train(fleet, side));
        return Side.ALL.stream()
                .skip(1)
                .map(side -> Figure.of(
                                "link-resnet18-%s-%s".formatted(side.gradients(), side.pulled()),
                                "ResNet-18, 2 workers, 100 Mbit/s each, gradients as %s, parameters as %s (%.2f times fewer bytes)"
                                        .formatted(side.gradients(), side.pulled(), 8.0 / side.bytes()))
                        .ours(comparison.of(side), "samples/s")
                        .rival(comparison.of(Side.PLAIN), "gradients and parameters as they are")
                        .ratioAtLeast(4))
                .toList();
    }

    private double train(LargeFleet fleet, Side side) throws Exception {
        Map<String, Object> encodings = Map.of("encoding", side.gradients(), "pull_encoding", side.pulled());
        double samplesPerSecond = ThrottledLink.train(
                        fleet.server(), fleet.requests(), SlowLink.BITS_A_SECOND, encodings)
                .samplesPerSecond();
        bench.progress("%s-%s: %.1f samples/s", side.gradients(), side.pulled(), samplesPerSecond);
        return samplesPerSecond;
    }
}
