package org.fleetgrad.pipeline.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.fleetgrad.pipeline.schedule.StageOrder.Op;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** T7: the strings of the reference. The first stage of four has depth 3. */
class StageOrderTest {

    @ParameterizedTest
    @CsvSource({
        "1f1b,         1, FFFFBFBFBFBFBBBB, FFFBFBFBFBFBFBBB, FFBFBFBFBFBFBFBB, FBFBFBFBFBFBFBFB",
        "pipedream,    1, FFFFBFBFBFBFBBBB, FFFBFBFBFBFBFBBB, FFBFBFBFBFBFBFBB, FBFBFBFBFBFBFBFB",
        "sequential,   1, FBFBFBFBFBFBFBFB, FBFBFBFBFBFBFBFB, FBFBFBFBFBFBFBFB, FBFBFBFBFBFBFBFB",
        "sequential,   4, FBFBFBFBFBFBFBFB, FBFBFBFBFBFBFBFB, FBFBFBFBFBFBFBFB, FBFBFBFBFBFBFBFB",
        "gpipe,        4, FFFFBBBBFFFFBBBB, FFFFBBBBFFFFBBBB, FFFFBBBBFFFFBBBB, FFFFBBBBFFFFBBBB",
        "gpipe,        3, FFFBBBFFFBBBFFBB, FFFBBBFFFBBBFFBB, FFFBBBFFFBBBFFBB, FFFBBBFFFBBBFFBB",
        "sync-1f1b,    4, FFFFBBBBFFFFBBBB, FFFBFBBBFFFBFBBB, FFBFBFBBFFBFBFBB, FBFBFBFBFBFBFBFB",
        "virtual-1f1b, 1, FFFBFBFBFBFBFBBB, FFBFBFBFBFBFBFBB, FBFBFBFBFBFBFBFB, FBFBFBFBFBFBFBFB"
    })
    void shouldFollowStringsOfReference(String schedule, int stepEvery, String d3, String d2, String d1, String d0) {
        PipelineScheduleSettings settings = PipelineScheduleSettings.of(PipelineSchedule.of(schedule), stepEvery);

        String[] expected = {d3, d2, d1, d0};
        for (int stage = 0; stage < 4; stage++) {
            assertThat(new StageOrder(settings, new StagePlace(4, stage), 8).text())
                    .isEqualTo(expected[stage]);
        }
    }

    @Test
    void shouldGoBackwardInReverseWithinEachStepOfGpipe() {
        StageOrder order =
                new StageOrder(PipelineScheduleSettings.of(PipelineSchedule.GPIPE, 3), new StagePlace(2, 0), 5);

        assertThat(order.ops())
                .map(Op::toString)
                .containsExactly("F0", "F1", "F2", "B2", "B1", "B0", "F3", "F4", "B4", "B3");
    }

    @Test
    void shouldCapStalenessByVirtualStages() {
        PipelineScheduleSettings settings = new PipelineScheduleSettings(PipelineSchedule.VIRTUAL_1F1B, 1, 3, false);

        assertThat(new int[] {depth(settings, 0), depth(settings, 1), depth(settings, 2), depth(settings, 3)})
                .containsExactly(1, 0, 0, 0);
        PipelineScheduleSettings wide = new PipelineScheduleSettings(PipelineSchedule.VIRTUAL_1F1B, 1, 5, false);
        assertThat(new int[] {depth(wide, 0), depth(wide, 1), depth(wide, 2), depth(wide, 3)})
                .containsExactly(3, 2, 1, 0);
    }

    private static int depth(PipelineScheduleSettings settings, int stage) {
        return settings.depth(new StagePlace(4, stage));
    }

    @Test
    void shouldNameAllSchedulesIfOneIsUnknown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PipelineSchedule.of("2f2b"))
                .withMessageContaining("'2f2b'")
                .withMessageContaining("sequential, gpipe, sync-1f1b, 1f1b, pipedream, virtual-1f1b");
    }

    @Test
    void shouldRefuseNumbersThatMeanNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PipelineScheduleSettings.of(PipelineSchedule.GPIPE, 0))
                .withMessageContaining("step-every is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PipelineScheduleSettings(PipelineSchedule.GPIPE, 1, 3, true))
                .withMessageContaining("write virtual-1f1b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PipelineScheduleSettings(PipelineSchedule.SYNC_1F1B, 1, 0, true))
                .withMessageContaining("sync-1f1b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StagePlace(4, 4))
                .withMessageContaining("4 stages has no stage 4");
    }
}
