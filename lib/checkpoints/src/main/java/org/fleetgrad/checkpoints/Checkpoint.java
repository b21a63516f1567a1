package org.fleetgrad.checkpoints;

import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.tensor.TensorSet;

/** A checkpoint in memory. Every byte was verified against the manifest. */
public final class Checkpoint {

    private final CheckpointManifest manifest;
    private final TensorSet parameters;
    private final Map<String, byte[]> files;

    Checkpoint(CheckpointManifest manifest, TensorSet parameters, Map<String, byte[]> files) {
        this.manifest = manifest;
        this.parameters = parameters;
        this.files = Map.copyOf(files);
    }

    /** Returns the manifest. */
    public CheckpointManifest manifest() {
        return manifest;
    }

    /** Returns the tensors and the metadata of {@link CheckpointManifest#PARAMETERS}. */
    public TensorSet parameters() {
        return parameters;
    }

    /** Returns the bytes of a file. They are not copied and must not be changed. */
    public Optional<byte[]> file(String name) {
        return Optional.ofNullable(files.get(name));
    }
}
