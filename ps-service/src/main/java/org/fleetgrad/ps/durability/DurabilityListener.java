package org.fleetgrad.ps.durability;

import java.time.Duration;
import org.fleetgrad.checkpoints.CheckpointManifest;

/** Receives notice of checkpoints. Called from several threads; implementations return at once. */
public interface DurabilityListener {

    /** A checkpoint is on the disk. */
    void checkpointTaken(CheckpointManifest manifest, Duration took);

    /** A checkpoint could not be written; the journal since the previous one continues. */
    void checkpointFailed(Exception failure);
}
