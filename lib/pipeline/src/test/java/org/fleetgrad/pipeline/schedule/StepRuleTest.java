package org.fleetgrad.pipeline.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class StepRuleTest {

    @Test
    void shouldStepAfterEachFullStepAndAfterLastMicroBatch() {
        StepRule rule = new StepRule(4, 10);

        assertThat(IntStream.range(0, 10).filter(rule::stepsAfter)).containsExactly(3, 7, 9);
        assertThat(rule.steps()).isEqualTo(3);
    }

    @Test
    void shouldScaleLearningRateOfLastStepThatIsNotFull() {
        StepRule rule = new StepRule(4, 10);

        assertThat(IntStream.range(0, 10).mapToDouble(rule::rateFactor))
                .containsExactly(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.5);
        assertThat(IntStream.range(0, 8).mapToDouble(new StepRule(4, 8)::rateFactor))
                .containsOnly(1.0);
    }

    @Test
    void shouldShareBubbleByClosedFormOfGpipe() {
        assertThat(ClosedForms.bubble(PipelineScheduleSettings.of(PipelineSchedule.GPIPE, 8), 4, 16, 1, 2)
                        .orElseThrow())
                .isEqualTo(3.0 / 11, Offset.offset(1e-12));
        assertThat(ClosedForms.bubble(PipelineScheduleSettings.of(PipelineSchedule.SEQUENTIAL, 1), 4, 16, 1, 2)
                        .orElseThrow())
                .isEqualTo(0.75, Offset.offset(1e-12));
        assertThat(ClosedForms.makespan(PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, 1), 4, 16, 1, 2)
                        .orElseThrow())
                .isEqualTo(57);
    }
}
