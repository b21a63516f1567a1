package org.fleetgrad.pipeline.schedule;

import java.util.OptionalDouble;

/**
 * How long a window takes if all stages are equally fast and frames take no time.
 *
 * <p>With {@code p} stages, {@code n} micro-batches, {@code t} the time of a forward and a backward pass of one stage
 * together, and {@code k} micro-batches in a step:
 *
 * <pre>
 * sequential:          n p t
 * 1f1b, pipedream:     (n + p - 1) t
 * gpipe, sync-1f1b:    (k + p - 1) t for each step
 * </pre>
 *
 * <p>The bubble is the share of the time in which a stage is idle: {@code 1 - n t / makespan}; for gpipe
 * {@code (p - 1) / (k + p - 1)} (Huang et al., NeurIPS 2019, section 2.3).
 */
public final class ClosedForms {

    private ClosedForms() {}

    /**
     * Returns the time from the first operation to the end of the last, in the unit of the given times; empty for
     * virtual-1f1b, which has no closed form here.
     */
    public static OptionalDouble makespan(
            PipelineScheduleSettings settings, int stages, int microBatches, double forwardTime, double backwardTime) {
        double both = forwardTime + backwardTime;
        return switch (settings.schedule()) {
            case SEQUENTIAL -> OptionalDouble.of((double) microBatches * stages * both);
            case ASYNC_1F1B, PIPEDREAM ->
                OptionalDouble.of(microBatches == 0 ? 0 : (double) (microBatches + stages - 1) * both);
            case GPIPE, SYNC_1F1B -> {
                int steps = new StepRule(settings.stepEvery(), microBatches).steps();
                yield OptionalDouble.of((double) (microBatches + steps * (stages - 1)) * both);
            }
            case VIRTUAL_1F1B -> OptionalDouble.empty();
        };
    }

    /** Returns the share of all stages' time in which they are idle; empty if {@link #makespan} is empty. */
    public static OptionalDouble bubble(
            PipelineScheduleSettings settings, int stages, int microBatches, double forwardTime, double backwardTime) {
        OptionalDouble makespan = makespan(settings, stages, microBatches, forwardTime, backwardTime);
        if (makespan.isEmpty() || makespan.getAsDouble() == 0) {
            return makespan;
        }
        double busy = (double) microBatches * (forwardTime + backwardTime);
        return OptionalDouble.of(1 - busy / makespan.getAsDouble());
    }
}
