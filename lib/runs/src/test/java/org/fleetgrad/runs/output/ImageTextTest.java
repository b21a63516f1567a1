package org.fleetgrad.runs.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.fleetgrad.datasets.ImageSamples;
import org.junit.jupiter.api.Test;

class ImageTextTest {

    @Test
    void shouldDrawTwoRowsOfPixelsInOneOfText() {
        byte white = (byte) 255;
        byte grey = (byte) 128;
        byte[] images = {0, 0, 0, white, white, 0, white, white, 0, grey, 0, 0, 0, grey, 0};
        ImageSamples samples = new ImageSamples(1, 5, 3, images, new byte[] {0});

        assertThat(ImageText.of(samples, 0).lines()).containsExactly("  ==", "  *=", "   =");
    }
}
