package org.fleetgrad.runs.settings;

import java.nio.file.Path;

/** What a run begins with. */
public sealed interface StartingPoint {

    /** The initial values of the network, which the run's seed determines. */
    record Seeded() implements StartingPoint {}

    /**
     * The values of a model, without any state of a training.
     *
     * @param file    a safetensors file
     * @param newHead whether its last layer is replaced by a newly initialized one
     */
    record Model(Path file, boolean newHead) implements StartingPoint {}

    /**
     * The state of a run.
     *
     * @param source the run's folder, or its checkpoints: a folder, {@code folder#number} or {@code s3://bucket/prefix}
     */
    record State(String source) implements StartingPoint {}
}
