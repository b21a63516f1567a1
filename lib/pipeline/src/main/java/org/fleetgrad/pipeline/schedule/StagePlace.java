package org.fleetgrad.pipeline.schedule;

/**
 * The position of a stage in its pipeline.
 *
 * @param stages number of stages, 1 or more
 * @param stage  from 0, the one that gets the samples
 */
public record StagePlace(int stages, int stage) {

    public StagePlace {
        if (stage < 0 || stage >= stages) {
            throw new IllegalArgumentException(
                    "a pipeline of %d stages has no stage %d: stages count from 0".formatted(stages, stage));
        }
    }

    /** Returns the number {@code d} of stages after this one. */
    public int depth() {
        return stages - 1 - stage;
    }

    /** Returns whether this stage gets the samples. */
    public boolean isFirst() {
        return stage == 0;
    }

    /** Returns whether this stage computes the loss. */
    public boolean isLast() {
        return stage == stages - 1;
    }
}
