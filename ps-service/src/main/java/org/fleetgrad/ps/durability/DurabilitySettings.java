package org.fleetgrad.ps.durability;

import java.time.Duration;

/**
 * The settings of checkpoints and journal.
 *
 * @param isJournaling whether every accepted gradient is on the disk before it is acknowledged
 * @param interval     longest time between two checkpoints while versions change
 * @param versions     versions between two checkpoints; 0 for no limit
 * @param journalBytes length of the journal that triggers a checkpoint
 * @param keep         number of checkpoints to keep
 */
public record DurabilitySettings(boolean isJournaling, Duration interval, long versions, long journalBytes, int keep) {

    public DurabilitySettings {
        if (interval.compareTo(Duration.ofMillis(100)) < 0) {
            throw new IllegalArgumentException(
                    "the checkpoint interval is %s; write 100ms or more, such as 60s".formatted(interval));
        }
        if (versions < 0) {
            throw new IllegalArgumentException(
                    "the versions between two checkpoints are %d; write 1 or more, or 0 for no limit"
                            .formatted(versions));
        }
        if (journalBytes < 1 << 16) {
            throw new IllegalArgumentException(
                    "the journal's length before a checkpoint is %d bytes; write 64KB or more, such as 256MB"
                            .formatted(journalBytes));
        }
        if (keep < 1) {
            throw new IllegalArgumentException(
                    "the number of checkpoints to keep is %d; write 1 or more".formatted(keep));
        }
    }
}
