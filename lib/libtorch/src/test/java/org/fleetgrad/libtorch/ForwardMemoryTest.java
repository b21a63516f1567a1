package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import org.fleetgrad.networks.Networks;
import org.junit.jupiter.api.Test;

/** The expected numbers are counted by hand from the layers. */
class ForwardMemoryTest {

    @Test
    void shouldCountTheImageAndTheTwoArraysOfALayer() {
        // The image, the first convolution's output, and the activation's output.
        assertThat(ForwardMemory.bytesOfSample(Networks.named("lenet5?classes=10&input=1x28x28")))
                .isEqualTo((28 * 28 + 2 * 6 * 28 * 28) * 4L);
    }

    @Test
    void shouldCountTheInputsOfTheBlocksThatAreOpen() {
        long image = 3 * 1024;
        long array = 16 * 1024;

        // The image, the input of the stage, and in its second block: the block's input and a layer's two arrays.
        assertThat(ForwardMemory.bytesOfSample(Networks.named("resnet20?classes=10&input=3x32x32")))
                .isEqualTo((image + array + 3 * array) * 4);
    }
}
