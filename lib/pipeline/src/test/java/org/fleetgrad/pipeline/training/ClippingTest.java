package org.fleetgrad.pipeline.training;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.junit.jupiter.api.Test;

class ClippingTest {

    private static final SgdSettings PLAIN = new SgdSettings(0, 0, false, 0);

    /** Without momentum the length of one step is the learning rate times the clipped norm, over all stages. */
    @Test
    void shouldClipToNormOfAllStagesTogether() {
        Combination clipped = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, PLAIN)
                .clip(0.05f)
                .build();
        for (int stages : new int[] {1, 2, 4}) {
            try (TinyPipeline pipeline = new TinyPipeline(stages, clipped)) {
                float[] before = pipeline.parameters();
                pipeline.train(TinyData.of(1));

                assertThat(distance(before, pipeline.parameters()))
                        .isEqualTo(TinyPipeline.RATE * 0.05, Offset.offset(1e-6));
            }
        }
    }

    @Test
    void shouldLeaveSmallerGradientsAlone() {
        Combination clipped = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, PLAIN)
                .clip(1000)
                .build();
        Combination free =
                Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, PLAIN).build();

        assertThat(TinyPipeline.trained(4, clipped, 20)).isEqualTo(TinyPipeline.trained(4, free, 20));
    }

    /** Every schedule waits for all stages at each step, and none deadlocks. */
    @Test
    void shouldClipUnderEverySchedule() {
        for (PipelineSchedule schedule : PipelineSchedule.values()) {
            Combination clipped =
                    Combinations.of(schedule, 3, PLAIN).clip(0.05f).build();
            float[] once = TinyPipeline.trained(8, clipped, 20);

            assertThat(TinyPipeline.trained(8, clipped, 20)).isEqualTo(once);
            if (schedule.isSynchronous()) {
                assertThat(TinyPipeline.trained(1, clipped, 20)).containsExactly(once, Offset.offset(1e-5f));
            }
        }
    }

    private static double distance(float[] some, float[] others) {
        double squares = 0;
        for (int i = 0; i < some.length; i++) {
            squares += Math.pow((double) some[i] - others[i], 2);
        }
        return Math.sqrt(squares);
    }
}
