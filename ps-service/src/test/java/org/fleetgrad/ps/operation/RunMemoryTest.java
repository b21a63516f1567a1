package org.fleetgrad.ps.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.ps.settings.PendingLimit;
import org.fleetgrad.ps.settings.TrainingMode;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.junit.jupiter.api.Test;

class RunMemoryTest {

    /** VGG-19 as torchvision has it: 143,667,240 parameters, 575 MB. */
    private static final long VALUES = 143_667_240;

    private static final TrainingSettings ADAM = new TrainingSettings(
            new TrainingMode.Async(1),
            new AdamSettings(0.9f, 0.999f, 1e-8f, 0, false),
            new StalenessRule.DelayCompensated(0.04f),
            2,
            new LearningRateSchedule.Constant(0.1f),
            64);

    @Test
    void shouldFollowFromTheParameterSet() {
        RunMemory memory = RunMemory.of(VALUES, ADAM, new PendingLimit(OptionalLong.of(1)));
        assertThat(memory.parameters()).isEqualTo(574_668_960);
        assertThat(memory.optimizer()).isEqualTo(2 * 574_668_960L);
        assertThat(memory.rule()).isEqualTo(2 * 574_668_960L);
        assertThat(memory.gradients()).isEqualTo(2 * 574_668_960L);
        assertThat(memory.exceeds(4L << 30)).isFalse();
        assertThat(memory.exceeds(3L << 30)).isTrue();
        assertThat(memory.describe(3_000_000_000L))
                .isEqualTo(
                        "the run takes up to 4022.7 MB of heap (parameters 574.7, optimizer 1149.3, staleness rule 1149.3, gradients on their way 1149.3) and 1149.3 MB outside it; the heap may grow to 3000.0 MB");
    }
}
