package org.fleetgrad.ps.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
        RunMemory memory = RunMemory.of(VALUES, ADAM, new PendingLimit(OptionalLong.of(1)), false);
        assertThat(memory.parameters()).isEqualTo(574_668_960);
        assertThat(memory.optimizer()).isEqualTo(2 * 574_668_960L);
        assertThat(memory.rule()).isEqualTo(2 * 574_668_960L);
        assertThat(memory.gradients()).isEqualTo(2 * 574_668_960L);
        assertThat(memory.exceeds(4L << 30)).isFalse();
        assertThat(memory.exceeds(3L << 30)).isTrue();
        assertThat(memory.describe(3_000_000_000L))
                .isEqualTo(
                        "the run takes up to 4022.7 MB of heap (parameters 574.7, optimizer 1149.3, staleness rule 1149.3, gradients on their way 1149.3, copy for a checkpoint 0.0) and 1149.3 MB outside it; the heap may grow to 3000.0 MB");
    }

    @Test
    void shouldCountTheCopyThatBecomesACheckpoint() {
        RunMemory memory = RunMemory.of(VALUES, ADAM, new PendingLimit(OptionalLong.of(1)), true);
        assertThat(memory.checkpoint()).isEqualTo(5 * 574_668_960L);
        assertThat(memory.leastHeap()).isEqualTo(12 * 574_668_960L);
    }

    @Test
    void shouldRefuseARunThatDoesNotFitWithAllTheNumbers() {
        long set = 574_668_960;
        PendingLimit pending = new PendingLimit(OptionalLong.empty());
        assertThat(new MemoryBudget(() -> ADAM, pending, false, 7 * set, 3 * set).refusal(VALUES))
                .isEmpty();
        assertThat(new MemoryBudget(() -> ADAM, pending, false, 7 * set, 3 * set - 1).refusal(VALUES))
                .isPresent();
        MemoryBudget small = new MemoryBudget(() -> ADAM, pending, false, 7 * set - 1, 3 * set);
        assertThat(small.refusal(VALUES))
                .contains(
                        "a run of 143667240 values does not fit: it takes at least 4022.7 MB of heap (parameters 574.7, optimizer 1149.3, staleness rule 1149.3, two gradients 1149.3, copy for a checkpoint 0.0), and the heap may grow to 4022.7 MB; three served versions take 1724.0 MB outside it, and 1724.0 MB are there: give the server more memory, or a smaller ps.staleness.history");
        assertThatIllegalStateException().isThrownBy(() -> small.require(VALUES));
    }
}
