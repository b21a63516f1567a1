package org.fleetgrad.protocol.safetensors;

import java.util.Map;
import org.fleetgrad.protocol.tensor.TensorLayout;

/** The header of a parameter set as a server serves it: a set whose header is too long could be put, and no client could pull it. */
public final class ServedHeader {

    /** Room for what the server adds to the metadata: generation and version. */
    private static final int ADDED_BYTES = 256;

    private ServedHeader() {}

    /**
     * Checks that clients can read it: it has these tensors and strings, and the version's.
     *
     * @throws IllegalArgumentException if it is too long; the message has the numbers
     */
    public static void require(TensorLayout layout, Map<String, String> metadata) {
        long bytes = (long) SafetensorsHeader.encode(layout, metadata, 0).length + ADDED_BYTES;
        long most = SafetensorsLimits.DEFAULT.headerBytes();
        if (bytes > most) {
            throw new IllegalArgumentException(
                    "names and metadata of %d tensors take %d bytes of header with generation and version; a reader accepts %d"
                            .formatted(layout.size(), bytes, most));
        }
    }
}
