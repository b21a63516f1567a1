package org.fleetgrad.benchmarks.training;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.process.Workbench;

/**
 * Measures two workers on ResNet-18, each behind a link of 100 Mbit/s, with encodings and without. The link takes 3.6 s for
 * the parameters in float32, so its time is nearly all there is: at best, speed grows as the bytes shrink.
 */
public record NetworkLink(Workbench bench) {

    private static final int BATCHES = 3;
    private static final double BITS_A_SECOND = 100e6;

    private enum Side {
        PLAIN("f32", "f32", 1),
        // 8 bytes a value both ways, in place of 3 and of 2.
        I8_BF16("i8", "bf16", 8 / 3.0),
        I8_I8("i8", "i8", 8 / 2.0);

        private final String gradients;
        private final String pulled;
        private final double fewerBytes;

        Side(String gradients, String pulled, double fewerBytes) {
            this.gradients = gradients;
            this.pulled = pulled;
            this.fewerBytes = fewerBytes;
        }

        String word() {
            return gradients + "-" + pulled;
        }
    }

    public List<Figure> measure() throws Exception {
        LargeFleet fleet = LargeFleet.start(bench, BATCHES);
        // Warms up both sides; no link yet.
        WarmFleet.train(fleet.server().client(), fleet.requests());
        Comparison<Side> comparison = bench.compare(List.of(Side.values()), side -> train(fleet, side));
        List<Figure> figures = new ArrayList<>();
        for (Side side : Side.values()) {
            if (side != Side.PLAIN) {
                figures.add(Figure.of(
                                "link-resnet18-" + side.word(),
                                "ResNet-18, 2 workers, 100 Mbit/s each, gradients as %s, parameters as %s (%.2f times fewer bytes)"
                                        .formatted(side.gradients, side.pulled, side.fewerBytes))
                        .ours(comparison.of(side), "samples/s")
                        .rival(comparison.of(Side.PLAIN), "gradients and parameters as they are")
                        .ratioAtLeast(4));
            }
        }
        return figures;
    }

    private double train(LargeFleet fleet, Side side) throws Exception {
        double samplesPerSecond = ThrottledLink.train(
                        fleet.server(),
                        fleet.requests(),
                        BITS_A_SECOND,
                        Map.of("encoding", side.gradients, "pull_encoding", side.pulled))
                .samplesPerSecond();
        bench.progress("%s: %.1f samples/s", side.word(), samplesPerSecond);
        return samplesPerSecond;
    }
}
