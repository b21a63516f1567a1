package org.fleetgrad.inference.prediction;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.images.InvalidImagesException;

class ImageFileFuzzTest {

    private static final ImageFile FILES = new ImageFile(new ImageShape(3, 4, 5), 1 << 12, new Semaphore(1));

    /** A PNG and a JPEG are decoded, or refused. */
    @FuzzTest(maxDuration = "30s")
    void shouldDecodeOrRefuse(byte[] file) {
        for (String format : List.of("image/png", "image/jpeg")) {
            try {
                assertThat(FILES.read(file, format, false).pixels()).hasSize(3 * 4 * 5);
            } catch (InvalidImagesException refused) {
                assertThat(refused.rule()).isEqualTo(InvalidImagesException.Rule.UNREADABLE);
            }
        }
    }
}
