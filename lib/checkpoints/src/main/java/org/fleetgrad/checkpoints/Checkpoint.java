package org.fleetgrad.checkpoints;

import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.tensor.TensorSet;

/** A checkpoint in memory, every byte verified against its manifest. */
public final class Checkpoint {

    private final CheckpointManifest manifest;
    private final TensorSet parameters;
    private final Map<String, byte[]> files;

    Checkpoint(CheckpointManifest manifest, TensorSet parameters, Map<String, byte[]> files) {
        this.manifest = manifest;
        this.parameters = parameters;
        this.files = Map.copyOf(files);
    }

    /** Returns what it says of itself. */
    public CheckpointManifest manifest() {
        return manifest;
    }

    /** Returns the tensors and the metadata of {@link CheckpointManifest#PARAMETERS}. */
    public TensorSet parameters() {
        return parameters;
    }

    /** Returns a file's bytes; they are not copied, so nobody may change them. */
    public Optional<byte[]> file(String name) {
        return Optional.ofNullable(files.get(name));
    }
}
