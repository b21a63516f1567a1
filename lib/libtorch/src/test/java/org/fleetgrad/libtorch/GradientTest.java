package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares the loss and its gradient with their definitions. */
@Tag("kernels")
class GradientTest {

    private static final long SEED = 3;
    private static final NetworkDefinition DEFINITION = Networks.usual("lenet5");
    private static final TestBatch BATCH = TestBatch.random(DEFINITION.spec(), 8, 1);

    /** Small, because a larger step crosses kinks of ReLU and pooling, which spoil a central difference. */
    private static final float STEP = 5e-4f;

    private final Network network = TestBatch.open("lenet5", SEED);

    @AfterEach
    void close() {
        network.close();
    }

    @Test
    void shouldReturnMeanCrossEntropy() {
        double expected = crossEntropy(DEFINITION.initialParameters(SEED));

        // Eight halves of the distance between two floats of this size, which is what all kernels came to.
        assertThat((double) network.accumulate(BATCH.images(), BATCH.labels(), 8))
                .isCloseTo(expected, within(1e-6));
    }

    @Test
    void shouldAgreeWithFiniteDifferencesInEveryTensor() {
        float[] gradient = BATCH.gradient(network);

        int from = 0;
        for (TensorSpec spec : DEFINITION.spec().layout().specs()) {
            int to = from + (int) spec.elementCount();
            int steepest = steepest(gradient, from, to);
            assertThat(slope(steepest))
                    .as("%s, value %d", spec.name(), steepest - from)
                    // For curves and kinks: with the kernels of any processor, rounding is at most a thousandth.
                    .isCloseTo(gradient[steepest], Percentage.withPercentage(3));
            from = to;
        }
    }

    private double slope(int index) {
        float[] parameters = DEFINITION.initialParameters(SEED);
        float middle = parameters[index];
        float above = middle + STEP;
        float below = middle - STEP;
        parameters[index] = above;
        double lossAbove = crossEntropy(parameters);
        parameters[index] = below;
        return (lossAbove - crossEntropy(parameters)) / ((double) above - below);
    }

    /** In float64: in float32 the difference of two losses would be only rounding error. */
    private double crossEntropy(float[] parameters) {
        TestBatch.load(network, parameters);
        float[] logits = network.logits(BATCH.images(), BATCH.count());
        double sum = 0;
        for (int sample = 0; sample < BATCH.count(); sample++) {
            double exponentials = 0;
            for (int label = 0; label < 10; label++) {
                exponentials += Math.exp(logits[sample * 10 + label]);
            }
            sum += Math.log(exponentials) - logits[sample * 10 + (int) BATCH.labels()[sample]];
        }
        return sum / BATCH.count();
    }

    private static int steepest(float[] gradient, int from, int to) {
        int steepest = from;
        for (int i = from; i < to; i++) {
            if (Math.abs(gradient[i]) > Math.abs(gradient[steepest])) {
                steepest = i;
            }
        }
        return steepest;
    }
}
