package org.fleetgrad.datasets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ImageSamplesTest {

    private static final ImageSamples THREE = new ImageSamples(
            2, 1, 2, new byte[] {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}, new byte[] {7, (byte) 200, 9});

    @Test
    void shouldReadLabelsAsUnsigned() {
        assertThat(THREE.label(1)).isEqualTo(200);
        assertThat(THREE.largestLabel()).isEqualTo(200);
        assertThat(THREE.shape()).containsExactly(2, 1, 2);
        assertThat(THREE).hasToString("ImageSamples[3 of [2, 1, 2]]");
    }

    @Test
    void shouldSliceImagesWithTheirLabels() {
        ImageSamples slice = THREE.slice(1, 3);

        assertThat(slice.images()).containsExactly(10, 11, 12, 13, 20, 21, 22, 23);
        assertThat(slice.labels()).isEqualTo(Labels.of(200, 9));
        assertThat(THREE.slice(3, 3).count()).isZero();
    }

    @Test
    void shouldRefuseArraysThatDoNotAgree() {
        assertThatThrownBy(() -> new ImageSamples(1, 2, 2, new byte[7], new byte[2]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("2 labels need 8 bytes of images of [1, 2, 2]; there are 7");
    }

    @Test
    void shouldRefuseDimensionsThatAreNotPositiveOrOverflow() {
        assertThatThrownBy(() -> new ImageSamples(1, 0, 2, new byte[0], new byte[0]))
                .hasMessage("an image's dimensions must be positive: [1, 0, 2]");
        int huge = Integer.MAX_VALUE;
        assertThatThrownBy(() -> new ImageSamples(huge, huge, huge, new byte[0], new byte[2]))
                .hasMessageStartingWith("2 images of [2147483647, 2147483647, 2147483647] exceed");
    }

    @Test
    void shouldRefuseSlicesOutside() {
        assertThatThrownBy(() -> THREE.slice(1, 4)).hasMessage("a slice from 1 to 4 is not within 3 samples");
    }
}
