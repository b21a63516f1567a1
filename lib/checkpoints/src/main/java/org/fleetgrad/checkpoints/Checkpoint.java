package org.fleetgrad.checkpoints;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
        files = Collections.unmodifiableMap(new TreeMap<>(files));
    }

    /** Returns the bytes of a file. */
    public Optional<byte[]> file(String name) {
        return Optional.ofNullable(files.get(name));
    }
}
