package org.fleetgrad.pipeline.schedule;

/**
 * The versions of the weights that a stage uses, in closed form. A version counts the steps since the window began.
 *
 * <p>With {@code d} the stage's {@link PipelineScheduleSettings#depth} and {@code k} the micro-batches of a step:
 *
 * <pre>
 * forward of i uses   floor(max(0, i - d) / k)
 * backward of i finds floor(i / k)
 * staleness of i      their difference: the steps between
 * </pre>
 *
 * <p>After the warm-up, {@code i >= d}, the staleness is {@code floor(d / k)} or {@code ceil(d / k)}, and its mean
 * {@code d / k}. With {@code k = 1} it is {@code min(i, d)}: the delay of PipeDream's formula (SOSP 2019, section 3.3).
 * A synchronous schedule has none.
 *
 * @param depth     the stage's depth, 0 or more; 0 with a synchronous schedule
 * @param stepEvery number of micro-batches in a step, 1 or more
 */
public record StageStaleness(int depth, int stepEvery) {

    /** Returns the staleness of a stage under a schedule. */
    public static StageStaleness of(PipelineScheduleSettings settings, StagePlace place) {
        return new StageStaleness(
                settings.schedule().isSynchronous() ? 0 : settings.depth(place), settings.stepEvery());
    }

    /** Returns the version that the forward pass of a micro-batch uses. */
    public int forwardVersion(int microBatch) {
        return Math.max(0, microBatch - depth) / stepEvery;
    }

    /** Returns the version that the stage has at a micro-batch's backward pass. */
    public int backwardVersion(int microBatch) {
        return microBatch / stepEvery;
    }

    /** Returns the number of steps between the forward and the backward pass of a micro-batch. */
    public int at(int microBatch) {
        return backwardVersion(microBatch) - forwardVersion(microBatch);
    }

    /** Returns the largest staleness: {@code ceil(d / k)}. */
    public int largest() {
        return (depth + stepEvery - 1) / stepEvery;
    }

    /**
     * Returns the largest number of distinct versions alive under weight stashing, including the current one:
     * {@code ceil(d / k) + 1}. It is reached in any window of {@code 2 d + k} micro-batches or more.
     */
    public int liveVersions() {
        return largest() + 1;
    }
}
