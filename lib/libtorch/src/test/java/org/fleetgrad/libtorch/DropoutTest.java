package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import java.util.Arrays;
import org.fleetgrad.networks.Networks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("kernels")
class DropoutTest {

    private static final String NAME = "mnist-cnn";
    private static final TestBatch BATCH = TestBatch.random(Networks.usual(NAME).spec(), 8, 1);

    @Test
    void shouldDrawTheSameMasksForASeedWhateverElseIsComputed() {
        try (Network network = TestBatch.open(NAME, 1);
                Network other = TestBatch.open(NAME, 2)) {
            float[] gradient = gradient(network, 5);
            gradient(other, 9);
            network.logits(BATCH.images(), 8);

            assertThat(gradient(network, 5)).isEqualTo(gradient);
            assertThat(gradient(network, 6)).isNotEqualTo(gradient);
        }
    }

    @Test
    void shouldDropNothingInEvaluation() {
        try (Network network = TestBatch.open(NAME, 1)) {
            float[] logits = network.logits(BATCH.images(), 8);
            gradient(network, 5);

            assertThat(network.logits(BATCH.images(), 8)).isEqualTo(logits);
        }
    }

    @Test
    void shouldKeepTheMeanOfWhatPasses() {
        float[] mask = mask(new DropoutMask("a", 0.25f, false), new Shape(100, 1000));

        int dropped = 0;
        for (float value : mask) {
            assertThat(value == 0 || value == 1 / 0.75f).isTrue();
            dropped += value == 0 ? 1 : 0;
        }
        // Four standard errors of 100,000 draws.
        assertThat(dropped / 100_000.0).isCloseTo(0.25, within(4 * Math.sqrt(0.25 * 0.75 / 100_000)));
    }

    @Test
    void shouldDropWholeChannels() {
        assertThat(mask(new DropoutMask("a", 0.5f, true), new Shape(8, 20, 4, 4)))
                .hasSize(160);
    }

    @Test
    void shouldDrawOtherMasksForAnotherLayer() {
        Shape shape = new Shape(4, 100);
        assertThat(mask(new DropoutMask("a", 0.5f, false), shape))
                .isEqualTo(mask(new DropoutMask("a", 0.5f, false), shape))
                .isNotEqualTo(mask(new DropoutMask("b", 0.5f, false), shape));
    }

    /** So a worker on a GPU drops what one on the processor drops; the processor computes the GPU's mask here. */
    @ParameterizedTest
    @CsvSource({"0, 0.5", "7, 0.1", "-3, 0.25", "9223372036854775807, 0.9", "-9223372036854775808, 0.0000001"})
    void shouldDrawTheSameBitsOnTheDevice(long seed, float probability) {
        DropoutMask mask = new DropoutMask("encoder.0.dropout", probability, false);
        try (PtNDManager manager = (PtNDManager) Libtorch.engine().newBaseManager(ai.djl.Device.cpu())) {
            PtNDArray batch = (PtNDArray) manager.zeros(new Shape(1));
            Shape shape = new Shape(8, 20, 5, 7);

            PtNDArray drawn = mask.drawOnDevice(batch, shape, seed);

            assertThat(drawn.getShape()).isEqualTo(shape);
            assertThat(drawn.toFloatArray())
                    .isEqualTo(mask.draw(batch, shape, seed).toFloatArray());
        }
    }

    /** If all outputs of a unit are dropped, its weights have no gradient. */
    @Test
    void shouldGiveNoGradientToWhatIsDropped() {
        try (Network network = TestBatch.open(NAME, 1)) {
            network.accumulate(BATCH.part(0, 1).images(), BATCH.part(0, 1).labels(), 1, 3, 0);
            float[] gradient = TestBatch.drain(network, 1);
            // fc2.weight [10, 50] is the last tensor; about half of its 50 columns read a dropped unit.
            float[] weight = Arrays.copyOfRange(gradient, gradient.length - 500, gradient.length);
            int without = 0;
            for (int unit = 0; unit < 50; unit++) {
                without += weight[unit] == 0 ? 1 : 0;
            }
            assertThat(without).isBetween(15, 49);
        }
    }

    private static float[] gradient(Network network, long seed) {
        network.accumulate(BATCH.images(), BATCH.labels(), 8, seed, 0);
        return TestBatch.drain(network, 1);
    }

    private static float[] mask(DropoutMask mask, Shape shape) {
        try (PtNDManager manager = (PtNDManager) Libtorch.engine().newBaseManager(ai.djl.Device.cpu())) {
            PtNDArray batch = (PtNDArray) manager.zeros(shape);
            return mask.draw(batch, 7).toFloatArray();
        }
    }
}
