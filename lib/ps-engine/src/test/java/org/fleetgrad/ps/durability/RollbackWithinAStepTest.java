package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.run.Lifecycle.RollbackOutcome;
import org.fleetgrad.ps.training.TrainingRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rollback to a checkpoint that was written while gradients waited for their step: its work counts their samples. */
class RollbackWithinAStepTest {

    private static final WorkPlan PLAN = new WorkPlan("digits", 1, List.of(shard("one"), shard("two")));

    @TempDir(factory = InMemory.class)
    private Path folder;

    private final DurableRun durable = new DurableRun(TrainingRun.plain(new TrainingMode.Sync(0), 64));

    private static PlannedShard shard(String name) {
        return new PlannedShard(name, "file:///" + name, 4);
    }

    private static PushOutcome push(TrainingRun run, String worker, long sequence, int shard, long reached) {
        String generation = run.published().version().orElseThrow().generation();
        return run.push(
                TrainingRun.metadata(worker, sequence, generation, run.version(), 2)
                        .reaching(Optional.of(new Cursor(0, shard, reached))),
                2);
    }

    private static void next(TrainingRun run, String worker) {
        assertThat(TrainingRun.outcome(run.training().nextShard(worker).join())).isNotNull();
    }

    @Test
    void shouldKeepTheGradientsThatWaitedForTheirStep() {
        try (TrainingRun run =
                durable.open(DurableRun.JOURNAL, folder.resolve("run")).startingAt(0)) {
            run.training().putWork(PLAN).join();
            run.withWorkers("a", "b");
            next(run, "a");
            next(run, "b");
            assertThat(push(run, "a", 1, 0, 2)).isInstanceOf(PushOutcome.Buffered.class);
        }
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("run"))) {
            long within = Collections.max(DurableRun.numbers(folder.resolve("run")));
            assertThat(push(run, "b", 1, 1, 2)).isInstanceOf(PushOutcome.Applied.class);
            assertThat(run.values()).containsExactly(-1);

            assertThat(TrainingRun.outcome(run.rollBack(within))).isInstanceOf(RollbackOutcome.RolledBack.class);

            assertThat(run.values()).containsExactly(0);
            assertThat(run.training().work().orElseThrow().samples()).isEqualTo(2);
            next(run, "b");
            next(run, "a");
            // Its gradient is among those that wait.
            assertThat(push(run, "a", 2, 1, 2)).isInstanceOf(PushOutcome.Refused.class);
            assertThat(push(run, "b", 2, 0, 4)).isInstanceOf(PushOutcome.Applied.class);
            assertThat(run.values()).containsExactly(-1);
            assertThat(run.training().statistics().state().samples()).isEqualTo(4);
        }
    }
}
