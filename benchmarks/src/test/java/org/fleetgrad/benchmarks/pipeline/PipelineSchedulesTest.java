package org.fleetgrad.benchmarks.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Values;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.fleetgrad.pipeline.timeline.Span.Activity;
import org.fleetgrad.pipeline.timeline.Timeline;
import org.fleetgrad.pipeline.training.WindowReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PipelineSchedulesTest {

    private static final Offset<Double> EXACT = Offset.offset(1e-12);

    /** 16 micro-batches of 30 ms on 4 stages; gpipe and sync-1f1b make two steps of 8. */
    @ParameterizedTest
    @CsvSource({
        "SEQUENTIAL, 1.92, 0.75",
        "ASYNC_1F1B, 0.57, 0.15789473684210525",
        "PIPEDREAM, 0.57, 0.15789473684210525",
        "GPIPE, 0.66, 0.2727272727272727",
        "SYNC_1F1B, 0.66, 0.2727272727272727"
    })
    void shouldExpectClosedForms(PipelineSchedule schedule, double seconds, double bubble) {
        Timeline expected = PipelineSchedules.expected(PipelineSchedules.settings(schedule));

        assertThat(expected.makespan() / 1e3).isEqualTo(seconds, EXACT);
        assertThat(expected.bubble()).isEqualTo(bubble, EXACT);
    }

    /** A bound on the staleness costs time, but never as much as one micro-batch at a time. */
    @Test
    void shouldExpectVirtualStagesFromSimulation() {
        Timeline expected = PipelineSchedules.expected(PipelineSchedules.settings(PipelineSchedule.VIRTUAL_1F1B));

        assertThat(expected.makespan() / 1e3).isGreaterThan(0.57).isLessThan(1.92);
        assertThat(expected.bubble()).isEqualTo(1 - 0.48 / (expected.makespan() / 1e3), EXACT);
    }

    @ParameterizedTest
    @CsvSource({"1.11, false", "1.09, true", "1.0, true", "0.91, true", "0.89, false"})
    void shouldMissGoalOnEitherSide(double ours, boolean isMet) {
        Figure figure = PipelineSchedules.compared("name", "what", "s", Values.of(ours), 1, "the closed form");

        assertThat(figure.isGoalMet()).contains(isMet);
    }

    @ParameterizedTest
    @EnumSource(PipelineSchedule.class)
    void shouldTrainEveryMicroBatchOnEveryStage(PipelineSchedule schedule) throws Exception {
        WindowReport report = SleepingPipeline.run(3, PipelineSchedules.combination(schedule), 5, 0, 0);

        for (Activity activity : new Activity[] {Activity.FORWARD, Activity.BACKWARD}) {
            assertThat(report.timeline().spans().stream().filter(span -> span.activity() == activity))
                    .hasSize(3 * 5);
        }
        assertThat(report.timeline().makespan()).isPositive();
    }

    @Test
    void shouldCountLiveVersions() throws Exception {
        Combination stashing = Combination.builder(
                        PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, 1), new SgdSettings(0.9f, 0, false, 0))
                .stash()
                .build();

        WindowReport report = SleepingPipeline.run(4, stashing, 16, 0, 0);

        assertThat(report.stages()).extracting(stage -> stage.mostVersions()).containsExactly(4, 3, 2, 1);
    }

    /** Equal stages need n + 1 times what one needs for a micro-batch. Of unequal ones the slower one sets the pace. */
    @ParameterizedTest
    @CsvSource({"100, 4, 4, 32, 24.242424242424242", "100, 6, 2, 1, 12.5", "130, 6, 2, 4, 20"})
    void shouldAllowWhatBalanceAllows(int samples, double first, double second, int count, double allowed) {
        assertThat(PipelineSpeed.allowed(samples, first, second, count)).isEqualTo(allowed, Offset.offset(1e-9));
        assertThat(PipelineSpeed.allowed(samples, second, first, count)).isEqualTo(allowed, Offset.offset(1e-9));
    }
}
