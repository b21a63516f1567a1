package org.fleetgrad.ps.run;

import java.io.IOException;
import java.util.Optional;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.run.Assignments.ShardOutcome.Reason;
import org.fleetgrad.ps.work.AddedShards;
import org.fleetgrad.ps.work.WorkQueue;
import org.fleetgrad.ps.work.WorkQueue.Assignment;

/**
 * Assigns the shards of the run. Each change is journaled before it is made. A worker holds its shard for as long as
 * it is a member: when it leaves, the shard is free again. Confined to the applier.
 */
public final class Assignments {

    private final Run run;
    private final WorkQueue work;
    private final Leases leases;
    private final TrainingStore store;

    Assignments(Run run, Leases leases, TrainingStore store) {
        this.run = run;
        this.work = run.work();
        this.leases = leases;
        this.store = store;
    }

    /**
     * Sets the work of the run. A plan over the same shards continues the work, even if the shards' addresses or the
     * number of epochs changed.
     */
    public SubmissionResult<WorkOutcome> put(WorkPlan plan) {
        Optional<WorkPlan> known = work.plan();
        boolean isSame = known.filter(plan::isOverSameShardsAs).isPresent();
        if (known.isPresent() && !isSame && work.isBegun() && !work.isDone()) {
            return new SubmissionResult.Done<>(new WorkOutcome.Exists(
                    "the run is in the middle of %d epochs of '%s' in %d shards; put other work when these are done, or into a run of its own"
                            .formatted(
                                    known.get().epochs(),
                                    known.get().dataset(),
                                    known.get().shards().size())));
        }
        Optional<WorkQueue.State> before = work.state();
        if (isSame) {
            work.change(plan);
        } else {
            work.begin(plan);
        }
        try {
            // Addresses change often, and the client sends them again: they are not worth a checkpoint.
            boolean isChanged = !isSame || known.orElseThrow().epochs() != plan.epochs();
            if (run.now().isEmpty()) {
                store.persistWork(plan);
            } else if (isChanged) {
                store.persist(run.state());
            }
        } catch (IOException unwritable) {
            work.restore(before);
            return new SubmissionResult.NotDurable<>("the work could not be kept: " + unwritable.getMessage());
        }
        return new SubmissionResult.Done<>(new WorkOutcome.Accepted(!isSame));
    }

    /**
     * Adds a shard, which is trained on once. One whose number is not larger than that of the last was added before: whoever got no
     * answer may repeat the request.
     *
     * @param after what the run must know: the largest number that was added before, as far as the sender knows; -1 for none. Without it
     *     a number that follows a rollback unseen would hide those that the rollback undid
     * @param share the samples that are added in an epoch are at most this share of its own
     */
    public SubmissionResult<AddOutcome> add(long number, long after, PlannedShard shard, double share) {
        if (work.plan().isEmpty() || run.now().isEmpty()) {
            return new SubmissionResult.Done<>(new AddOutcome.Refused(
                    AddOutcome.Reason.NO_WORK,
                    work.plan().isEmpty()
                            ? "the run has no work to add to: put its shards to /putWork"
                            : "the run has no parameters yet, so nothing is trained"));
        }
        if (work.hasAdded(number)) {
            // As with the plan's shards, addresses are not worth an entry.
            work.renewAdded(number, shard);
            return new SubmissionResult.Done<>(new AddOutcome.Added(false));
        }
        if (!work.hasAdded(after)) {
            return new SubmissionResult.Done<>(new AddOutcome.Refused(
                    AddOutcome.Reason.WORK_BEHIND,
                    "shard %d comes after %d, which this run does not know: a rollback or a lost checkpoint undid it; GET /status says which is the last ('work.added.last'), add those after it again"
                            .formatted(number, after)));
        }
        Optional<String> refused = work.addRefusal(shard, share);
        if (refused.isPresent()) {
            return new SubmissionResult.Done<>(new AddOutcome.Refused(AddOutcome.Reason.WORK_FULL, refused.get()));
        }
        try {
            store.append(new JournalEntry.Added(number, shard));
        } catch (IOException unwritable) {
            return notDurable("the shard was not added", unwritable);
        }
        work.add(number, shard);
        return new SubmissionResult.Done<>(new AddOutcome.Added(true));
    }

    /** Returns the shard that the worker holds; if it holds none, assigns it the next. */
    public SubmissionResult<ShardOutcome> next(String worker) {
        Optional<ShardOutcome> refused = refusal(worker);
        if (refused.isPresent()) {
            return new SubmissionResult.Done<>(refused.get());
        }
        Optional<Assignment> held = work.heldBy(worker);
        if (held.isPresent()) {
            return new SubmissionResult.Done<>(new ShardOutcome.Leased(held.get()));
        }
        Optional<Assignment> free = work.free();
        if (free.isEmpty()) {
            return new SubmissionResult.Done<>(
                    work.isDone() || work.isPaused() ? new ShardOutcome.Done() : new ShardOutcome.Wait());
        }
        Cursor cursor = free.get().cursor();
        try {
            // A replay frees the shard when it reads that the worker left, so the journal must first say that it
            // joined.
            run.members().admit(worker);
            store.append(new JournalEntry.Leased(worker, cursor));
        } catch (IOException unwritable) {
            return notDurable("the shard was not assigned", unwritable);
        }
        work.lease(worker, cursor);
        return new SubmissionResult.Done<>(new ShardOutcome.Leased(free.get()));
    }

    /** Releases the worker's shard, and returns how much of it is done, even if the worker no longer holds it. */
    public SubmissionResult<ShardOutcome> complete(String worker, long epoch, int shard) {
        Optional<ShardOutcome> refused = refusal(worker);
        if (refused.isPresent()) {
            return new SubmissionResult.Done<>(refused.get());
        }
        WorkPlan plan = work.plan().orElseThrow();
        Optional<AddedShards.Piece> added =
                shard < WorkPlan.MAX_SHARDS ? work.addedPiece(new Cursor(epoch, shard, 0)) : Optional.empty();
        boolean isPlanned = shard < plan.shards().size() && (plan.epochs() == 0 || epoch < plan.epochs());
        if (added.isEmpty() && !isPlanned) {
            return new SubmissionResult.Done<>(new ShardOutcome.Refused(
                    Reason.NO_WORK,
                    "there is no shard %d in epoch %d: the run has %d shards and %d epochs"
                            .formatted(shard, epoch, plan.shards().size(), plan.epochs())));
        }
        Cursor begin = new Cursor(epoch, shard, 0);
        Optional<Assignment> held =
                work.heldBy(worker).filter(has -> has.cursor().isInShardOf(begin));
        if (held.isPresent()) {
            try {
                store.append(new JournalEntry.Returned(worker));
            } catch (IOException unwritable) {
                return notDurable("the shard was not taken back", unwritable);
            }
            work.release(worker);
        }
        long done = added.map(AddedShards.Piece::done).orElseGet(() -> work.doneOf(begin));
        PlannedShard returned = added.map(AddedShards.Piece::shard)
                .orElseGet(() -> plan.shards().get(shard));
        return new SubmissionResult.Done<>(new ShardOutcome.Returned(done == returned.samples(), done));
    }

    private Optional<ShardOutcome> refusal(String worker) {
        if (work.plan().isEmpty()) {
            return Optional.of(new ShardOutcome.Refused(
                    Reason.NO_WORK,
                    "the run has no work: put its shards to /putWork, or give a worker its dataset_url"));
        }
        if (!leases.isLive(worker)) {
            return Optional.of(new ShardOutcome.Refused(Reason.UNKNOWN_WORKER, leases.notLive(worker)));
        }
        return Optional.empty();
    }

    private static <T> SubmissionResult<T> notDurable(String what, IOException unwritable) {
        return new SubmissionResult.NotDurable<>(
                "%s: the journal could not be written (%s)".formatted(what, unwritable.getMessage()));
    }

    /** The outcome of a request to set the work of the run. */
    public sealed interface WorkOutcome {

        /**
         * It is now the work of the run.
         *
         * @param isNew whether it began now
         */
        record Accepted(boolean isNew) implements WorkOutcome {}

        /** Other work of the run is in progress. */
        record Exists(String detail) implements WorkOutcome {}
    }

    /** The outcome of a worker's request for a shard, or of returning one. */
    public sealed interface ShardOutcome {

        /** The worker has this shard. */
        record Leased(Assignment assignment) implements ShardOutcome {}

        /** Other workers hold all remaining pieces. */
        record Wait() implements ShardOutcome {}

        /** All work is done, or it is paused. */
        record Done() implements ShardOutcome {}

        /**
         * The worker no longer has the shard.
         *
         * @param isComplete whether all of it is done
         * @param sample     samples of it that are done
         */
        record Returned(boolean isComplete, long sample) implements ShardOutcome {}

        /**
         * Nothing was changed.
         *
         * @param reason the rule
         * @param detail the numbers, in a sentence
         */
        record Refused(Reason reason, String detail) implements ShardOutcome {}

        enum Reason {
            NO_WORK,
            UNKNOWN_WORKER
        }
    }
}
