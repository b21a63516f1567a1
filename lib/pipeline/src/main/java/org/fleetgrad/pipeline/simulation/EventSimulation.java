package org.fleetgrad.pipeline.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.fleetgrad.pipeline.schedule.StageOrder;
import org.fleetgrad.pipeline.schedule.StageOrder.Op;
import org.fleetgrad.pipeline.schedule.StageOrder.Op.Kind;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.schedule.StageStaleness;
import org.fleetgrad.pipeline.timeline.Span;
import org.fleetgrad.pipeline.timeline.Span.Activity;
import org.fleetgrad.pipeline.timeline.Timeline;

/**
 * Runs a window of a schedule on a virtual clock. A stage does its operations in order, each as soon as its input frame has
 * arrived. Frames and steps take no time.
 */
public final class EventSimulation {

    private static final long NOT_YET = -1;

    private final List<List<Op>> orders = new ArrayList<>();
    private final List<StageStaleness> staleness = new ArrayList<>();
    private final List<StageTimes> times;
    private final int stages;
    private final int[] done;
    private final long[] free;
    /** When each stage ended the forward and the backward pass of each micro-batch. */
    private final long[][] forwardEnds;

    private final long[][] backwardEnds;
    private final List<Span> spans = new ArrayList<>();

    private EventSimulation(PipelineScheduleSettings settings, int microBatches, List<StageTimes> times) {
        this.times = List.copyOf(times);
        this.stages = times.size();
        this.done = new int[stages];
        this.free = new long[stages];
        this.forwardEnds = new long[stages][microBatches];
        this.backwardEnds = new long[stages][microBatches];
        for (int stage = 0; stage < stages; stage++) {
            StagePlace place = new StagePlace(stages, stage);
            orders.add(new StageOrder(settings, place, microBatches).ops());
            staleness.add(StageStaleness.of(settings, place));
            Arrays.fill(forwardEnds[stage], NOT_YET);
            Arrays.fill(backwardEnds[stage], NOT_YET);
        }
    }

    /**
     * Returns what happens in one window.
     *
     * @param times of each stage, the first one first
     * @throws IllegalStateException if the stages deadlock
     */
    public static Timeline run(PipelineScheduleSettings settings, int microBatches, List<StageTimes> times) {
        return new EventSimulation(settings, microBatches, times).run();
    }

    private Timeline run() {
        boolean moved = true;
        while (moved) {
            moved = false;
            for (int stage = 0; stage < stages; stage++) {
                while (done[stage] < orders.get(stage).size() && advance(stage)) {
                    moved = true;
                }
            }
        }
        for (int stage = 0; stage < stages; stage++) {
            if (done[stage] < orders.get(stage).size()) {
                throw new IllegalStateException("stage %d waits for ever before %s"
                        .formatted(stage, orders.get(stage).get(done[stage])));
            }
        }
        return new Timeline(stages, spans);
    }

    /** Does the next operation of a stage, if its input exists. */
    private boolean advance(int stage) {
        Op op = orders.get(stage).get(done[stage]);
        boolean isForward = op.kind() == Kind.FORWARD;
        long ready = ready(stage, op);
        if (ready == NOT_YET) {
            return false;
        }
        long start = Math.max(ready, free[stage]);
        long end = start
                + (isForward ? times.get(stage).forward() : times.get(stage).backward());
        (isForward ? forwardEnds : backwardEnds)[stage][op.microBatch()] = end;
        free[stage] = end;
        done[stage]++;
        StageStaleness rule = staleness.get(stage);
        int version = isForward ? rule.forwardVersion(op.microBatch()) : rule.backwardVersion(op.microBatch());
        int stale = isForward ? 0 : rule.at(op.microBatch());
        Activity activity = isForward ? Activity.FORWARD : Activity.BACKWARD;
        spans.add(new Span(stage, activity, op.microBatch(), version, 0, stale, start, end));
        return true;
    }

    private long ready(int stage, Op op) {
        if (op.kind() == Kind.FORWARD) {
            return stage == 0 ? 0 : forwardEnds[stage - 1][op.microBatch()];
        }
        return stage == stages - 1 ? forwardEnds[stage][op.microBatch()] : backwardEnds[stage + 1][op.microBatch()];
    }

    /**
     * How long one stage takes, in nanoseconds of a virtual clock.
     *
     * @param forward  of one micro-batch
     * @param backward of one micro-batch, including recomputation
     */
    public record StageTimes(long forward, long backward) {

        public StageTimes {
            if (forward < 0 || backward < 0) {
                throw new IllegalArgumentException(
                        "times must be 0 or more; they are %d forward and %d backward".formatted(forward, backward));
            }
        }
    }
}
