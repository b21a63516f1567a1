package org.fleetgrad.runs.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleSettingsTest {

    private static final long SAMPLES = 50_000;
    private static final int EPOCHS = 4;

    @Test
    void shouldTurnEpochsIntoSamples() {
        assertThat(environment("constant")).isEqualTo(Map.of("PS_SCHEDULE_NAME", "constant"));
        assertThat(environment("cosine"))
                .isEqualTo(Map.of(
                        "PS_SCHEDULE_NAME", "cosine",
                        "PS_SCHEDULE_TOTALSAMPLES", "200000",
                        "PS_SCHEDULE_MINIMUM", "0.0"));
        assertThat(environment("Cosine:minimum=0.001")).containsEntry("PS_SCHEDULE_MINIMUM", "0.001");
        assertThat(environment("step:every=1.5"))
                .isEqualTo(Map.of(
                        "PS_SCHEDULE_NAME", "step",
                        "PS_SCHEDULE_STEPSAMPLES", "75000",
                        "PS_SCHEDULE_GAMMA", "0.1"));
        assertThat(environment("step:milestones=2,3.5,gamma=0.2"))
                .isEqualTo(Map.of(
                        "PS_SCHEDULE_NAME", "milestones",
                        "PS_SCHEDULE_MILESTONES", "100000,175000",
                        "PS_SCHEDULE_GAMMA", "0.2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "constant",
                "cosine",
                "cosine:minimum=0.001",
                "step:every=30.0,gamma=0.5",
                "step:milestones=80.0,120.0,gamma=0.1"
            })
    void shouldWriteWhatItReads(String text) {
        assertThat(ScheduleSettings.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "linear|there is no schedule 'linear'",
                "constant:gamma=1|the schedule 'constant' has no gamma",
                "cosine:every=3|the schedule 'cosine' has no every",
                "cosine:minimum=1,2|minimum is one number; there are [1.0, 2.0]",
                "step|the schedule 'step' needs either every or milestones",
                "step:every=3,milestones=4|needs either every or milestones",
                "step:every=0|needs either every or milestones",
                "step:every=3,gamma=0|gamma of the schedule must be above 0; it is 0.0",
                "step:milestones=4,4|each milestone must be later than the one before, and above 0; they are [4.0, 4.0]",
                "step:milestones=|step:milestones=' is no schedule",
                "step:3|step:3' is no schedule",
                "step:every=3,every=4|step:every=3,every=4' is no schedule",
                "step:every=-3|step:every=-3' is no schedule",
                "step:every=NaN|step:every=NaN' is no schedule"
            })
    void shouldSayWhatToWrite(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScheduleSettings.parse(text))
                .withMessageContaining(message);
    }

    private static Map<String, String> environment(String text) {
        return ScheduleSettings.parse(text).environment(SAMPLES, EPOCHS);
    }
}
