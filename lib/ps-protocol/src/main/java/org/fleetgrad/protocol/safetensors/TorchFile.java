package org.fleetgrad.protocol.safetensors;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What {@code torch.save} writes, which is often given where a safetensors file is expected: the names end alike, and both hold a {@code
 * state_dict}. It has Python objects and is not read here.
 */
public enum TorchFile {

    /** Since PyTorch 1.6: a zip archive with a pickle and the tensors. */
    ZIP("a zip archive, as torch.save writes it") {

        @Override
        boolean begins(ByteBuffer bytes) {
            return bytes.get(0) == 'P' && bytes.get(1) == 'K' && bytes.get(2) == 3 && bytes.get(3) == 4;
        }
    },

    /** Before PyTorch 1.6: pickles after each other. */
    PICKLE("a pickle, as torch.save wrote it before PyTorch 1.6") {

        @Override
        boolean begins(ByteBuffer bytes) {
            // The second byte is the protocol; PyTorch used 2, and pickle.dump has used up to 5.
            return bytes.get(0) == (byte) 0x80 && bytes.get(1) >= 2 && bytes.get(1) <= 5;
        }
    };

    private static final int SHORTEST = 4;

    private final String description;

    TorchFile(String description) {
        this.description = description;
    }

    abstract boolean begins(ByteBuffer bytes);

    /** Returns what a file is, for a message. */
    public String description() {
        return description;
    }

    /**
     * Returns which of these a file is by its first bytes. A safetensors file may begin with the same bytes, so this is asked only of
     * files that are none.
     *
     * @param file from its beginning on
     */
    public static Optional<TorchFile> of(ByteBuffer file) {
        ByteBuffer bytes = file.slice();
        if (bytes.remaining() < SHORTEST) {
            return Optional.empty();
        }
        for (TorchFile each : values()) {
            if (each.begins(bytes)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** Returns the two lines of Python that write a safetensors file of a {@code state_dict}; tied tensors are written twice. */
    public static String conversion(String file, String safetensors) {
        return """
                import torch; from safetensors.torch import save_file
                save_file({name: tensor.clone().contiguous() for name, tensor in torch.load(%s, map_location="cpu", weights_only=True).items()}, %s)""".formatted(quoted(file), quoted(safetensors));
    }

    /** Writes a text as a literal of Python. */
    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
