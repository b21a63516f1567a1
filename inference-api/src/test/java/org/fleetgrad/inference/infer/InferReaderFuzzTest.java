package org.fleetgrad.inference.infer;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.images.InvalidImagesException;

class InferReaderFuzzTest {

    private static final ImageShape SHAPE = new ImageShape(1, 2, 3);

    /** The first byte is the length of the JSON, if it is not 0. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        byte[] body = Arrays.copyOfRange(bytes, 1, bytes.length);
        try {
            Object unused = InferReader.read(body, bytes[0] == 0 ? null : Integer.toString(bytes[0]))
                    .images(SHAPE, 2);
        } catch (RequestRefused | InvalidImagesException refused) {
            // As documented.
        }
    }
}
