package org.fleetgrad.ps.step;

import static org.assertj.core.api.Assertions.assertThat;

import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.parameters.BufferPool;
import org.fleetgrad.ps.parameters.Gradient;
import org.junit.jupiter.api.Test;

class StagedGradientsTest {

    private final StagedGradients staged = new StagedGradients(BufferPool.ofFloats(1), 100);

    @Test
    void shouldHaveRoomForABoundedNumberOfBytes() {
        staged.put(gradient("a", 1, 10));
        assertThat(staged.stagingRefusal(gradient("b", 1, 15))).isEmpty();
        staged.put(gradient("b", 1, 15));

        assertThat(staged.stagingRefusal(gradient("c", 1, 1)))
                .contains(
                        "2 staged gradients have 100 bytes, and 4 more would pass the limit of 100: the server waits until they are settled");
        assertThat(staged.stagingRefusal(gradient("b", 2, 15)))
                .as("in place of its last")
                .isEmpty();
        staged.drop("a", 1);
        assertThat(staged.stagingRefusal(gradient("c", 1, 10))).isEmpty();
    }

    @Test
    void shouldTakeOneGradientHoweverLargeItIs() {
        assertThat(staged.stagingRefusal(gradient("a", 1, 1000))).isEmpty();
        staged.put(gradient("a", 1, 1000));

        assertThat(staged.stagingRefusal(gradient("b", 1, 1))).isPresent();
    }

    private static Gradient gradient(String worker, long sequence, int values) {
        return new Gradient(new GradientMetadata(worker, sequence, "g", 0, 1, 0), new float[values]);
    }
}
