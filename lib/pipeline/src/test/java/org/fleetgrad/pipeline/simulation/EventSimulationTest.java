package org.fleetgrad.pipeline.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.assertj.core.data.Offset;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.fleetgrad.pipeline.simulation.EventSimulation.StageTimes;
import org.fleetgrad.pipeline.timeline.Span;
import org.fleetgrad.pipeline.timeline.Span.Activity;
import org.fleetgrad.pipeline.timeline.Timeline;
import org.junit.jupiter.api.Test;

class EventSimulationTest {

    /** The slowest stage determines the makespan: all of its work, plus the passes of the other stage before and after it. */
    @Test
    void shouldGoAtPaceOfSlowestStage() {
        Timeline timeline = EventSimulation.run(
                PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, 1),
                10,
                List.of(new StageTimes(1, 1), new StageTimes(5, 5)));

        assertThat(timeline.makespan()).isEqualTo(1 + 10 * 10 + 1);
        assertThat(timeline.bubble(1)).isEqualTo(1 - 100.0 / 102, Offset.offset(1e-12));
        assertThat(timeline.bubble(0)).isEqualTo(1 - 20.0 / 102, Offset.offset(1e-12));
    }

    @Test
    void shouldRecordStalenessOfEachStage() {
        Timeline timeline = EventSimulation.run(
                PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, 1),
                43,
                Collections.nCopies(4, new StageTimes(1, 1)));

        // 0, 1, 2, and then 3 for the other forty.
        assertThat(meanStaleness(timeline, 0)).isEqualTo((1 + 2 + 3.0 * 40) / 43, Offset.offset(1e-12));
        assertThat(meanStaleness(timeline, 3)).isZero();
    }

    private static double meanStaleness(Timeline timeline, int stage) {
        return timeline.of(stage).stream()
                .filter(span -> span.activity() == Activity.BACKWARD)
                .mapToInt(Span::staleness)
                .average()
                .orElse(0);
    }
}
