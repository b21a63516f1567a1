package org.fleetgrad.ps.work;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.ps.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** The applier leases, advances and releases shards, while other threads read the figures: they see one moment. */
@Param(name = "worker", gen = IntGen.class, conf = "1:2")
public class WorkQueueLincheckTest {

    private final WorkQueue work = new WorkQueue();

    public WorkQueueLincheckTest() {
        work.begin(new WorkPlan(
                "dataset", 2, List.of(new PlannedShard("a", "file:a", 2), new PlannedShard("b", "file:b", 2)), null));
    }

    /** Takes a shard, or gives back the one that the worker has. */
    @Operation(nonParallelGroup = "applier")
    public long leaseOrRelease(@Param(name = "worker") int worker) {
        Optional<WorkQueue.Assignment> held = work.heldBy("w" + worker);
        if (held.isPresent()) {
            work.release("w" + worker);
            return sample(held);
        }
        Optional<WorkQueue.Assignment> next = work.free();
        next.ifPresent(assignment -> work.lease("w" + worker, assignment.cursor()));
        return sample(next);
    }

    @Operation(nonParallelGroup = "applier")
    public boolean advance(@Param(name = "worker") int worker) {
        Optional<WorkQueue.Assignment> held = work.heldBy("w" + worker);
        held.map(WorkQueue.Assignment::cursor)
                .ifPresent(at -> work.advance("w" + worker, new Cursor(at.epoch(), at.shard(), at.sample() + 1)));
        return held.isPresent();
    }

    @Operation
    public List<Long> figures() {
        WorkQueue.Figures now = work.figures().orElseThrow();
        return List.of(now.samples(), now.done(), (long) now.leased());
    }

    @Operation
    public List<Object> state() {
        WorkQueue.State now = work.state().orElseThrow();
        return List.of(now.next(), now.samples(), now.open(), new TreeMap<>(now.holders()));
    }

    /** Returns a number for each position in the work; -1 if there is none. */
    private static long sample(Optional<WorkQueue.Assignment> assignment) {
        if (assignment.isEmpty()) {
            return -1;
        }
        Cursor at = assignment.get().cursor();
        return at.epoch() * 100 + at.shard() * 10L + at.sample();
    }

    @Test
    void shouldLetReadersSeeOneMomentOfTheWork() {
        Interleavings.check(WorkQueueLincheckTest.class, 200);
    }
}
