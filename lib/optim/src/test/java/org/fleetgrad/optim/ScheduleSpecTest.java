package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.fleetgrad.testing.SpecPage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleSpecTest {

    private static final long SAMPLES = 50_000;
    private static final int EPOCHS = 4;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "constant|constant",
                "cosine|cosine:total=200000",
                "Cosine:minimum=0.001|cosine:total=200000,minimum=0.001",
                "cosine:total=2,warmup=0.5|cosine:total=100000,warmup=25000",
                "step:every=1.5|step:every=75000,gamma=0.1",
                "step:every=0.00000001|step:every=1,gamma=0.1",
                "step:milestones=2,3.5,gamma=0.2|step:milestones=100000,175000,gamma=0.2"
            })
    void shouldTurnEpochsIntoSamples(String epochs, String samples) {
        assertThat(ScheduleSpec.parse(epochs).inSamples(SAMPLES, EPOCHS)).hasToString(samples);
    }

    @Test
    void shouldRefuseMoreSamplesThanADoubleCounts() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScheduleSpec.parse("cosine:total=2e12").inSamples(SAMPLES, EPOCHS))
                .withMessage("lengths of the schedule are whole numbers of samples here, at most 9007199254740992,"
                        + " such as 600000; one is 1.0E17");
    }

    @Test
    void shouldRefuseMoreMilestonesThanAVariableHolds() {
        String milestones =
                IntStream.rangeClosed(1, 1_001).mapToObj(Integer::toString).collect(Collectors.joining(","));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScheduleSpec.parse("step:milestones=" + milestones))
                .withMessage("a schedule has at most 1000 milestones; it has 1001");
    }

    @Test
    void shouldMakeTheScheduleOfSamples() {
        assertThat(schedule("constant")).isEqualTo(new LearningRateSchedule.Constant(0.5f));
        assertThat(schedule("step:every=10")).isEqualTo(new LearningRateSchedule.StepDecay(0.5f, 10, 0.1f));
        assertThat(schedule("step:milestones=10,30,gamma=0.5"))
                .isEqualTo(new LearningRateSchedule.Milestones(0.5f, List.of(10L, 30L), 0.5f));
        assertThat(schedule("cosine:total=200,minimum=0.001,warmup=20"))
                .isEqualTo(
                        new LearningRateSchedule.LinearWarmup(20, new LearningRateSchedule.Cosine(0.5f, 200, 0.001f)));
    }

    private static LearningRateSchedule schedule(String text) {
        return ScheduleSpec.parse(text).startingAt(0.5f);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "constant",
                "constant:warmup=5",
                "cosine",
                "cosine:minimum=0.001",
                "step:every=30,gamma=0.5",
                "step:every=1.5,gamma=0.5",
                "step:milestones=80,120,gamma=0.1"
            })
    void shouldWriteWhatItReads(String text) {
        assertThat(ScheduleSpec.parse(text)).hasToString(text);
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
                "step:every=0|the length between two decays must be above 0; it is 0.0",
                "step:every=3,gamma=0|gamma of the schedule must be above 0; it is 0.0",
                "step:milestones=4,4|each milestone must be later than the one before, and above 0; they are [4.0, 4.0]",
                "step:milestones=|step:milestones=' is malformed",
                "step:3|step:3' is malformed",
                "step:x,every=3|step:x,every=3' is malformed",
                "cosine:0.001,total=90|cosine:0.001,total=90' is malformed",
                "constant:|constant:' is malformed",
                "step:every=3,every=4|step:every=3,every=4' is malformed",
                "step:every=-3|the length between two decays must be above 0; it is -3.0",
                "step:every=1e999|must be above 0; it is Infinity",
                "step:every=NaN|step:every=NaN' is malformed"
            })
    void shouldSayWhatToWrite(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScheduleSpec.parse(text))
                .withMessageContaining(message);
    }

    @Test
    void shouldRefuseLengthsThatAreNoSamples() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedule("cosine"))
                .withMessage(
                        "the schedule 'cosine' needs total, the samples until the minimum, such as cosine:total=600000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedule("step:every=0.5"))
                .withMessageContaining("whole numbers of samples here");
    }

    /** The table of docs/configuration.md is what the spec prints. */
    @Test
    void shouldBeDocumentedByWhatItPrints() throws Exception {
        SpecPage.requirePart("learning-rate schedules", ScheduleSpec.documentation());
    }
}
