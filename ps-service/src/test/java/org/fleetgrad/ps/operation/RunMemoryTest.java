package org.fleetgrad.ps.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.OptionalLong;
import org.fleetgrad.optim.Aggregation;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.parameters.ValueCount;
import org.fleetgrad.ps.settings.PendingLimit;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.junit.jupiter.api.Test;

class RunMemoryTest {

    /** VGG-19 as torchvision has it: 143,667,240 parameters, 575 MB. */
    private static final long VALUES = 143_667_240;

    private static final ValueCount COUNT = new ValueCount(VALUES, VALUES);

    private static final TrainingSettings ADAM = new TrainingSettings(
            new TrainingMode.Async(1),
            new AdamSettings(0.9f, 0.999f, 1e-8f, 0, false),
            new StalenessRule.DelayCompensated(0.04f),
            2,
            new LearningRateSchedule.Constant(0.1f),
            TrainingSettings.DecayScope.EVERYTHING,
            64,
            0);

    private static final long SET = 574_668_960;
    private static final PendingLimit NONE_STATED = new PendingLimit(OptionalLong.empty());

    @Test
    void shouldFollowFromTheParameterSet() {
        RunMemory memory = RunMemory.of(COUNT, ADAM, new PendingLimit(OptionalLong.of(1)), false);
        assertThat(memory.parameters()).isEqualTo(SET);
        assertThat(memory.optimizer()).isEqualTo(2 * SET);
        assertThat(memory.history()).isEqualTo(2 * SET);
        assertThat(memory.gradients()).isEqualTo(2 * SET);
        assertThat(memory.exceeds(4L << 30)).isFalse();
        assertThat(memory.exceeds(3L << 30)).isTrue();
        assertThat(memory.describe(3_000_000_000L, 2_000_000_000L))
                .isEqualTo(
                        "the run takes up to 4022.7 MB of heap (parameters 574.7, optimizer 1149.3, staleness rule 0.0, history 1149.3, gradients on their way 1149.3, copy for a checkpoint 0.0, best version on its way 0.0), and the heap may grow to 3000.0 MB. Each worker may add 0.0 MB (staleness rule 0.0, a gradient that waits for the step 0.0) and, with several servers, 574.7 MB for a staged gradient. Versions that are served take up to 2000.0 MB outside the heap, at least 1724.0 MB");
    }

    @Test
    void shouldCountTheCopyThatBecomesACheckpoint() {
        RunMemory memory = RunMemory.of(COUNT, ADAM, new PendingLimit(OptionalLong.of(1)), true);
        assertThat(memory.checkpoint()).isEqualTo(5 * SET);
        assertThat(memory.best()).isEqualTo(2 * SET);
        assertThat(memory.heap()).isEqualTo(14 * SET);
    }

    @Test
    void shouldCountFrozenValuesOnceAndInACheckpoint() {
        RunMemory memory = RunMemory.of(new ValueCount(1000, 10), ADAM, NONE_STATED, true);

        assertThat(memory.parameters()).isEqualTo(4 * 1010);
        assertThat(memory.optimizer()).isEqualTo(4 * 20);
        assertThat(memory.history()).isEqualTo(4 * 20);
        assertThat(memory.checkpoint()).isEqualTo(4 * (1000 + 20 + 20));
        assertThat(memory.perWorker()).isEqualTo(new RunMemory.PerWorker(0, 0, 40));
        assertThat(memory.minimumSnapshots()).isGreaterThanOrEqualTo(3 * 4 * 1000);
    }

    @Test
    void shouldCountTheArraysOfTheRuleAndOfEachWorker() {
        RunMemory ahead =
                RunMemory.of(new ValueCount(1, 1), momentum(new StalenessRule.LookAhead()), NONE_STATED, false);
        assertThat(ahead.optimizer())
                .as("a momentum of each worker takes its place")
                .isZero();
        assertThat(ahead.rule()).isEqualTo(2 * 4);
        assertThat(ahead.perWorker()).isEqualTo(new RunMemory.PerWorker(4, 0, 4));
        RunMemory gap =
                RunMemory.of(new ValueCount(1, 1), momentum(new StalenessRule.GapAware(0.9f)), NONE_STATED, false);
        assertThat(gap.rule()).isEqualTo(4);
        assertThat(gap.history()).isEqualTo(32 * 4);
        assertThat(gap.perWorker().rule()).isZero();
        TrainingSettings median = new TrainingSettings(
                new TrainingMode.Sync(0, 0, new Aggregation.Median()),
                new SgdSettings(0.9f, 0, false, 0),
                new StalenessRule.None(),
                32,
                new LearningRateSchedule.Constant(0.1f),
                TrainingSettings.DecayScope.EVERYTHING,
                64,
                0);
        assertThat(RunMemory.of(new ValueCount(1, 1), median, NONE_STATED, false)
                        .perWorker())
                .isEqualTo(new RunMemory.PerWorker(0, 4, 4));
    }

    @Test
    void shouldRefuseOnlyWhatCannotWorkAndSayTheNumbers() {
        // Parameters, two arrays of Adam, one version, and one gradient.
        assertThat(budget(ADAM, false, 5 * SET).refusal(COUNT)).isEmpty();
        MemoryBudget small = budget(ADAM, false, 5 * SET - 1);
        assertThat(small.refusal(COUNT))
                .contains(
                        "a run of 143667240 values takes at least 2873.3 MB of heap (parameters 574.7, optimizer 1149.3, staleness rule 0.0, a gradient or a copy for a checkpoint in addition), and the heap may grow to 2873.3 MB: give the server more, as -Xmx4222m");
        assertThatIllegalStateException().isThrownBy(() -> small.require(COUNT));
        // The first checkpoint is a copy of the parameters and of both arrays.
        assertThat(budget(ADAM, true, 6 * SET).refusal(COUNT)).isEmpty();
        assertThat(budget(ADAM, true, 6 * SET - 1).refusal(COUNT)).isPresent();
    }

    @Test
    void shouldWarnOfARunThatMayGetTooLarge() {
        assertThat(budget(ADAM, false, 7 * SET).require(COUNT).isWarning()).isFalse();
        MemoryBudget.Note warning = budget(ADAM, false, 7 * SET - 1).require(COUNT);
        assertThat(warning.isWarning()).isTrue();
        assertThat(warning.text()).startsWith("the run takes up to 4022.7 MB").endsWith(": give it more, as -Xmx4222m");
        MemoryBudget crowded =
                new MemoryBudget(() -> ADAM, NONE_STATED, false, 7 * SET, 3 * SET - 1, OptionalLong.empty());
        assertThat(crowded.require(COUNT).text()).endsWith("and the machine has 1724.0 MB for them: give it more");
        assertThat(crowded.require(COUNT).isWarning()).isTrue();
    }

    /** Runs that worked before the budget existed still work. */
    @Test
    void shouldLetRunsBeginThatFillTheHeapOnlyInTime() {
        StalenessRule compensated = new StalenessRule.DelayCompensated(0.04f);
        // VGG-19 in 8 GB, with 32 versions that would take 18 GB.
        assertThat(budget(momentum(compensated), true, 8L << 30).refusal(COUNT)).isEmpty();
        // The shipped pod has 512 MB and a heap of 204 MB; a model of 34 MB with momentum.
        assertThat(budget(momentum(new StalenessRule.None()), true, 204L << 20)
                        .refusal(new ValueCount(8_500_000, 8_500_000)))
                .isEmpty();
        assertThat(budget(momentum(new StalenessRule.LookAhead()), true, 204L << 20)
                        .refusal(new ValueCount(8_500_000, 8_500_000)))
                .isEmpty();
    }

    @Test
    void shouldRefuseAStatedMemoryInWhichNoVersionCanBeServed() {
        assertThat(stated(3 * SET).refusal(COUNT)).isEmpty();
        assertThat(stated(3 * SET - 1).refusal(COUNT))
                .contains(
                        "ps.snapshot-memory is 1724006879 bytes, and three versions of 143667240 values take 1724006880: write more, or leave it out");
    }

    private static MemoryBudget budget(TrainingSettings settings, boolean isDurable, long heap) {
        return new MemoryBudget(() -> settings, NONE_STATED, isDurable, heap, 3 * SET, OptionalLong.empty());
    }

    private static MemoryBudget stated(long snapshots) {
        return new MemoryBudget(() -> ADAM, NONE_STATED, false, 7 * SET, 1, OptionalLong.of(snapshots));
    }

    private static TrainingSettings momentum(StalenessRule rule) {
        return new TrainingSettings(
                new TrainingMode.Async(1),
                new SgdSettings(0.9f, 0, false, 0),
                rule,
                32,
                new LearningRateSchedule.Constant(0.1f),
                TrainingSettings.DecayScope.EVERYTHING,
                64,
                0);
    }
}
