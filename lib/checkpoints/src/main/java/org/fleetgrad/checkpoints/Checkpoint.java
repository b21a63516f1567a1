package org.fleetgrad.checkpoints;

import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * A checkpoint in memory. Every byte was verified against the manifest.
 *
 * @param manifest   its manifest
 * @param parameters the tensors and the metadata of {@link CheckpointManifest#PARAMETERS}
 * @param files      the bytes of all files; they are not copied and must not be changed
 */
public record Checkpoint(CheckpointManifest manifest, TensorSet parameters, Map<String, byte[]> files) {

    public Checkpoint {
        files = Map.copyOf(files);
    }

    /** Returns the bytes of a file. */
    public Optional<byte[]> file(String name) {
        return Optional.ofNullable(files.get(name));
    }
}
