package org.fleetgrad.ps.durability;

import java.time.Duration;
import org.fleetgrad.checkpoints.CheckpointManifest;

/** Hears of checkpoints; from several threads, and implementations return at once. */
public interface DurabilityListener {

    /** A checkpoint is on the disk. */
    void checkpointTaken(CheckpointManifest manifest, Duration took);

    /** A checkpoint could not be written; the journal goes on from the one before. */
    void checkpointFailed(Exception failure);
}
