package org.fleetgrad.evaluator.source;

import java.io.IOException;
import java.nio.file.Path;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.tensor.TensorSet;

/** A file with the parameters of a model. */
public final class ModelFile {

    private ModelFile() {}

    /**
     * Opens a file; its values are read when they are needed.
     *
     * @throws IOException              if it cannot be read
     * @throws IllegalArgumentException if it is not a safetensors file, or too large; the message names it
     */
    public static TensorSet read(Path file) throws IOException {
        try {
            return Safetensors.map(file);
        } catch (SafetensorsException malformed) {
            throw new IllegalArgumentException(
                    "%s is not a safetensors file: %s".formatted(file, malformed.getMessage()), malformed);
        }
    }
}
