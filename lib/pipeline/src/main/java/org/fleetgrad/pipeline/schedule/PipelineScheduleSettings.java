package org.fleetgrad.pipeline.schedule;

/**
 * A schedule with its numbers.
 *
 * @param schedule  the rule
 * @param stepEvery number of micro-batches in a step of the optimizer, 1 or more
 * @param supremum  with {@link PipelineSchedule#VIRTUAL_1F1B}: exclusive upper bound of the staleness; 0 stands for the number of
 *     stages. With any other schedule it is 0
 * @param lastFirst with {@link PipelineSchedule#GPIPE}: whether the micro-batches of a step go backward in reverse order, as in
 *     FTPipe. The other order adds the same gradients in another order, so only rounding differs
 */
public record PipelineScheduleSettings(PipelineSchedule schedule, int stepEvery, int supremum, boolean lastFirst) {

    public PipelineScheduleSettings {
        if (stepEvery < 1) {
            throw new IllegalArgumentException(
                    "a step needs 1 or more micro-batches; step-every is %d".formatted(stepEvery));
        }
        if (supremum < 0) {
            throw new IllegalArgumentException(
                    "the supremum of the staleness must be 0 or more; it is %d".formatted(supremum));
        }
        if (supremum > 0 && schedule != PipelineSchedule.VIRTUAL_1F1B) {
            throw new IllegalArgumentException(
                    "only virtual-1f1b has a supremum of the staleness, the schedule is %s with %d: write virtual-1f1b, or 0"
                            .formatted(schedule.text(), supremum));
        }
        if (lastFirst && schedule != PipelineSchedule.GPIPE) {
            throw new IllegalArgumentException(
                    "only gpipe can go backward in reverse order, the schedule is %s".formatted(schedule.text()));
        }
    }

    /** Returns the schedule with its usual numbers. */
    public static PipelineScheduleSettings of(PipelineSchedule schedule, int stepEvery) {
        return new PipelineScheduleSettings(schedule, stepEvery, 0, schedule == PipelineSchedule.GPIPE);
    }

    /**
     * Returns how many micro-batches a stage admits ahead of its backward passes, beyond the one it processes. It is the
     * number {@code d} of stages after it, except for two schedules.
     *
     * <pre>
     * sequential:    0
     * virtual-1f1b:  max(0, min(stages, supremum - 1) - (stages - d))
     * </pre>
     */
    public int depth(StagePlace place) {
        int after = place.depth();
        if (schedule == PipelineSchedule.SEQUENTIAL) {
            return 0;
        }
        if (schedule == PipelineSchedule.VIRTUAL_1F1B) {
            int bound = supremum == 0 ? place.stages() : supremum;
            return Math.max(0, Math.min(place.stages(), bound - 1) - (place.stages() - after));
        }
        return after;
    }

    /** Returns the most micro-batches that a stage has between their forward and their backward passes. */
    public int inFlight(StagePlace place) {
        int ahead = depth(place) + 1;
        return switch (schedule) {
            case GPIPE -> stepEvery;
            case SEQUENTIAL, SYNC_1F1B -> Math.min(ahead, stepEvery);
            case ASYNC_1F1B, PIPEDREAM, VIRTUAL_1F1B -> ahead;
        };
    }

    /**
     * Returns how many frames of a tied tensor may wait in the first stage, and in the last: as many micro-batches as the first
     * one has in flight, but with gpipe at most one for each stage, because the last stage may wait there.
     */
    public int tiedFrames(int stages) {
        return Math.min(stages, inFlight(new StagePlace(stages, 0)));
    }
}
