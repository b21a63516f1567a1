package org.fleetgrad.ps.durability;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * The settings of checkpoints and journal.
 *
 * @param isJournaling whether every accepted gradient is on the disk before it is acknowledged
 * @param interval     longest time between two checkpoints while versions change
 * @param versions     versions between two checkpoints; 0 for no limit
 * @param journalBytes length of the journal that triggers a checkpoint; by default it follows from the parameter set
 * @param keep         number of checkpoints to keep
 */
public record DurabilitySettings(
        boolean isJournaling, Duration interval, long versions, OptionalLong journalBytes, int keep) {

    private static final long MINIMUM = 256L << 20;

    /** With a checkpoint per gradient, a journal would only add writes. */
    private static final int GRADIENTS = 8;

    private static final int PAUSES = 20;

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
        if (journalBytes.orElse(MINIMUM) < 1 << 16) {
            throw new IllegalArgumentException(
                    "the journal's length before a checkpoint is %d bytes; write 64KB or more, such as 256MB"
                            .formatted(journalBytes.orElse(MINIMUM)));
        }
        if (keep < 1) {
            throw new IllegalArgumentException(
                    "the number of checkpoints to keep is %d; write 1 or more".formatted(keep));
        }
    }

    /** Returns the shortest time from a checkpoint to the one that is taken because all workers have left. */
    Duration pause() {
        return interval.dividedBy(PAUSES);
    }

    /**
     * Returns the length of the journal that triggers a checkpoint, for a parameter set of so many bytes: by default
     * eight gradients, and 256 MB or more.
     */
    public long journalBytes(long parameterBytes) {
        return journalBytes.orElseGet(() -> Math.max(MINIMUM, GRADIENTS * parameterBytes));
    }
}
