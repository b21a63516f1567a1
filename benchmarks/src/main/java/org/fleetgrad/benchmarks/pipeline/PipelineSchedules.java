package org.fleetgrad.benchmarks.pipeline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Values;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.schedule.StageStaleness;
import org.fleetgrad.pipeline.simulation.EventSimulation;
import org.fleetgrad.pipeline.simulation.EventSimulation.StageTimes;
import org.fleetgrad.pipeline.timeline.Timeline;
import org.fleetgrad.pipeline.training.WindowReport;

/**
 * Measures the makespan and the bubble of each schedule with threads that sleep, compared with the closed forms; and
 * the versions of the weights that are alive with weight stashing.
 */
public record PipelineSchedules(Workbench bench) {

    static final int STAGES = 4;
    static final int MICRO_BATCHES = 16;
    static final long FORWARD_MILLIS = 10;
    static final long BACKWARD_MILLIS = 20;

    /** The share by which a figure may be above or below its closed form. */
    private static final double TOLERANCE = 0.10;

    private static final int MICRO_BATCHES_OF_A_STEP = 8;
    private static final SgdSettings SGD = new SgdSettings(0.9f, 0, false, 0);

    public List<Result> costs() throws Exception {
        List<PipelineSchedule> schedules = List.of(PipelineSchedule.values());
        bench.progress("pipeline: %d schedules with stages that sleep", schedules.size());
        Comparison<PipelineSchedule> comparison = bench.compareAll(schedules, schedule -> {
            Timeline timeline = SleepingPipeline.run(
                            STAGES, combination(schedule), MICRO_BATCHES, FORWARD_MILLIS, BACKWARD_MILLIS)
                    .timeline();
            return new double[] {timeline.makespan() / 1e9, timeline.bubble()};
        });
        List<Result> results = new ArrayList<>();
        for (PipelineSchedule schedule : schedules) {
            Timeline expected = expected(settings(schedule));
            String limit = schedule == PipelineSchedule.VIRTUAL_1F1B ? "the simulation" : "the closed form";
            String what = "%s, %d stages that sleep %d + %d ms, %d micro-batches"
                    .formatted(schedule.text(), STAGES, FORWARD_MILLIS, BACKWARD_MILLIS, MICRO_BATCHES);
            results.add(compared(
                    "pipeline-%s-makespan".formatted(schedule.text()),
                    "makespan of " + what,
                    "s",
                    comparison.of(schedule, 0),
                    expected.makespan() / 1e3,
                    limit));
            results.add(compared(
                    "pipeline-%s-bubble".formatted(schedule.text()),
                    "bubble of " + what,
                    "share",
                    comparison.of(schedule, 1),
                    expected.bubble(),
                    limit));
        }
        return results;
    }

    /**
     * Returns the most versions alive on each stage with a step every micro-batch, and on the first one with fewer
     * steps.
     */
    public List<Result> versions() throws Exception {
        bench.progress("pipeline: live versions");
        List<Result> results = new ArrayList<>();
        for (int stepEvery : new int[] {1, 2}) {
            PipelineScheduleSettings settings = PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, stepEvery);
            WindowReport report = SleepingPipeline.run(
                    STAGES, Combination.builder(settings, SGD).stash().build(), MICRO_BATCHES, 1, 2);
            for (int stage = 0; stage < STAGES; stage++) {
                StageStaleness staleness = StageStaleness.of(settings, new StagePlace(STAGES, stage));
                results.add(Figure.of(
                                "pipeline-versions-%d-%d".formatted(stepEvery, stage),
                                "live versions on stage %d of %d, 1f1b with stash, a step every %d micro-batches"
                                        .formatted(stage, STAGES, stepEvery))
                        .ours(report.stages().get(stage).mostVersions(), "versions")
                        .limit(staleness.liveVersions(), "ceil(d / step-every) + 1")
                        .ratioAtMost(1));
            }
        }
        return results;
    }

    static PipelineScheduleSettings settings(PipelineSchedule schedule) {
        boolean hasSteps = schedule == PipelineSchedule.GPIPE || schedule == PipelineSchedule.SYNC_1F1B;
        return PipelineScheduleSettings.of(schedule, hasSteps ? MICRO_BATCHES_OF_A_STEP : 1);
    }

    static Combination combination(PipelineSchedule schedule) {
        Combination.Builder builder = Combination.builder(settings(schedule), SGD);
        return schedule == PipelineSchedule.GPIPE ? builder.recompute().build() : builder.build();
    }

    /** Simulates a window, in milliseconds: where there is a closed form, it is the same. */
    static Timeline expected(PipelineScheduleSettings settings) {
        return EventSimulation.run(
                settings, MICRO_BATCHES, Collections.nCopies(STAGES, new StageTimes(FORWARD_MILLIS, BACKWARD_MILLIS)));
    }

    /** Returns a figure that must lie within the tolerance, on whichever side it is. */
    static Figure compared(String name, String what, String unit, Values ours, double expected, String limit) {
        Figure figure = Figure.of(name, what).ours(ours, unit).limit(expected, limit);
        return ours.median() >= expected ? figure.ratioAtMost(1 + TOLERANCE) : figure.ratioAtLeast(1 - TOLERANCE);
    }

    public List<Result> measure() throws Exception {
        List<Result> results = new ArrayList<>(costs());
        results.addAll(versions());
        return results;
    }
}
