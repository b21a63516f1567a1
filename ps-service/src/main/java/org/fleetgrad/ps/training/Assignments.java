package org.fleetgrad.ps.training;

import java.io.IOException;
import java.util.Optional;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.training.ShardOutcome.Reason;
import org.fleetgrad.ps.work.Assignment;
import org.fleetgrad.ps.work.WorkQueue;
import org.fleetgrad.ps.work.WorkState;

/**
 * Hands out the work of the run: who has which shard is journaled before it is so. A shard is leased with its worker: it is
 * free again when the worker leaves. Belongs to the applier.
 */
final class Assignments {

    private final WorkQueue work;
    private final Members members;
    private final Leases leases;
    private final Durability durability;
    private final Keeper keeper;

    /** Keeps the whole state, where there is any. */
    @FunctionalInterface
    interface Keeper {
        void keep() throws IOException;
    }

    Assignments(WorkQueue work, Members members, Leases leases, Durability durability, Keeper keeper) {
        this.work = work;
        this.members = members;
        this.leases = leases;
        this.durability = durability;
        this.keeper = keeper;
    }

    /** Takes the work of the run; over the same shards it is gone on with, wherever these lie now and for other epochs. */
    WorkOutcome put(WorkPlan plan) {
        Optional<WorkPlan> known = work.plan();
        boolean isSame = known.filter(plan::isOverSameShardsAs).isPresent();
        if (known.isPresent() && !isSame && work.isBegun() && !work.isDone()) {
            return new WorkOutcome.Exists(
                    "the run is in the middle of %d epochs of '%s' in %d shards; other work begins when these are done, or in a run of its own"
                            .formatted(
                                    known.get().epochs(),
                                    known.get().dataset(),
                                    known.get().shards().size()));
        }
        Optional<WorkState> before = work.state();
        if (isSame) {
            work.change(plan);
        } else {
            work.begin(plan);
        }
        try {
            // An address is of the day, and whoever states it will state the next: not worth a checkpoint.
            if (!isSame || known.orElseThrow().epochs() != plan.epochs()) {
                keeper.keep();
            }
        } catch (IOException unwritable) {
            work.restore(before);
            return new WorkOutcome.NotDurable("the work could not be kept: " + unwritable.getMessage());
        }
        return new WorkOutcome.Accepted(!isSame);
    }

    /** Gives the worker what comes next, or what it has. */
    ShardOutcome next(String worker) {
        Optional<ShardOutcome> refused = refusal(worker);
        if (refused.isPresent()) {
            return refused.get();
        }
        Optional<Assignment> held = work.heldBy(worker);
        if (held.isPresent()) {
            return new ShardOutcome.Leased(held.get());
        }
        Optional<Assignment> free = work.free();
        if (free.isEmpty()) {
            return work.isDone() ? new ShardOutcome.Done() : new ShardOutcome.Wait();
        }
        Cursor cursor = free.get().cursor();
        try {
            // Before the lease: it ends when the journal says that the worker left.
            members.admit(worker);
            durability.append(new JournalEntry.Leased(worker, cursor));
        } catch (IOException unwritable) {
            return notDurable("the shard was not handed out", unwritable);
        }
        work.lease(worker, cursor);
        return new ShardOutcome.Leased(free.get());
    }

    /** Takes a shard back from the worker; where it has it no more, says how far the shard is all the same. */
    ShardOutcome complete(String worker, long epoch, int shard) {
        Optional<ShardOutcome> refused = refusal(worker);
        if (refused.isPresent()) {
            return refused.get();
        }
        WorkPlan plan = work.plan().orElseThrow();
        if (shard >= plan.shards().size() || (plan.epochs() > 0 && epoch >= plan.epochs())) {
            return new ShardOutcome.Refused(
                    Reason.NO_WORK,
                    "there is no shard %d in epoch %d: the run has %d shards and %d epochs"
                            .formatted(shard, epoch, plan.shards().size(), plan.epochs()));
        }
        Cursor begin = new Cursor(epoch, shard, 0);
        Optional<Assignment> held =
                work.heldBy(worker).filter(has -> has.cursor().isInShardOf(begin));
        if (held.isPresent()) {
            try {
                durability.append(new JournalEntry.Returned(worker));
            } catch (IOException unwritable) {
                return notDurable("the shard was not taken back", unwritable);
            }
            work.giveBack(worker);
        }
        long done = work.doneOf(begin);
        return new ShardOutcome.Returned(done == plan.shards().get(shard).samples(), done);
    }

    /** Does again what was journaled. */
    void replay(JournalEntry entry) {
        if (entry instanceof JournalEntry.Leased leased) {
            work.lease(leased.worker(), leased.cursor());
        } else if (entry instanceof JournalEntry.Returned returned) {
            work.giveBack(returned.worker());
        }
    }

    private Optional<ShardOutcome> refusal(String worker) {
        if (work.plan().isEmpty()) {
            return Optional.of(new ShardOutcome.Refused(
                    Reason.NO_WORK,
                    "the run has no work: put its shards to /putWork, or give a worker its dataset_url"));
        }
        if (!leases.isLive(worker)) {
            return Optional.of(new ShardOutcome.Refused(
                    Reason.UNKNOWN_WORKER,
                    "worker '%s' is not registered, or its lease of %d ms ran out"
                            .formatted(worker, leases.length().toMillis())));
        }
        return Optional.empty();
    }

    private static ShardOutcome notDurable(String what, IOException unwritable) {
        return new ShardOutcome.Refused(
                Reason.NOT_DURABLE, "%s, as it could not be journaled: %s".formatted(what, unwritable.getMessage()));
    }
}
