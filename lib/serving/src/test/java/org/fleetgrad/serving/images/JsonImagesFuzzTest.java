package org.fleetgrad.serving.images;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;

class JsonImagesFuzzTest {

    private static final JsonImages READER = new JsonImages(new ImageShape(1, 2, 3), 2);

    /** A body is refused, or has pixels from 0 to 255. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] body) {
        Images read;
        try {
            read = READER.read(body);
        } catch (InvalidImagesException refused) {
            return;
        }
        for (float pixel : read.pixels()) {
            assertThat(pixel).isBetween(0f, 255f);
        }
    }
}
