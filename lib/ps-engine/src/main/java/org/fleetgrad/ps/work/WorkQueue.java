package org.fleetgrad.ps.work;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.jspecify.annotations.Nullable;

/**
 * The work of a run and its distribution: every shard once an epoch, none twice. A worker takes the next piece, so a
 * faster worker takes more. If a worker gives a piece back, or its lease expires, the next worker continues after the
 * last sample that counted. Shards that are added later are trained on once ({@link AddedWork}).
 *
 * <p>The applier makes all changes, in the order of the journal; other threads may read.
 */
public final class WorkQueue {

    private @Nullable WorkPlan plan;
    private long next;
    private long samples;
    private final NavigableMap<Long, Long> open = new TreeMap<>();
    private final Map<String, Long> holders = new HashMap<>();
    private final AddedWork added = new AddedWork();

    /**
     * The figures for readers.
     *
     * @param plan    all of the work
     * @param samples samples of the plan that are done
     * @param done    pieces of the plan that are done
     * @param leased  pieces and added shards that workers hold
     * @param isDone  whether no work is left
     * @param added   the shards that were added; empty if there are none
     */
    public record Figures(
            WorkPlan plan, long samples, long done, int leased, boolean isDone, Optional<AddedFigures> added) {

        /** Returns the pieces that no worker holds and that a worker would get; without a last epoch, those of one epoch. */
        public long waiting() {
            if (Boolean.TRUE.equals(plan.paused())) {
                return 0;
            }
            long shards = plan.shards().size();
            long ofPlan = plan.epochs() == 0 ? shards + leased : plan.epochs() * shards - done;
            return Math.max(0, ofPlan + added.map(AddedFigures::left).orElse(0) - leased);
        }
    }

    /**
     * The figures of added shards.
     *
     * @param last    the largest number of one
     * @param samples samples of them that are done
     * @param done    those that are done
     * @param left    those that are not
     */
    public record AddedFigures(long last, long samples, long done, int left) {}

    public synchronized Optional<WorkPlan> plan() {
        return Optional.ofNullable(plan);
    }

    /** Returns whether any piece has been assigned. */
    public synchronized boolean isBegun() {
        return next > 0;
    }

    /** Returns whether all pieces are done, or there is no work. */
    public synchronized boolean isDone() {
        return open.isEmpty() && !hasMore() && added.isDone();
    }

    /** Starts other work. */
    public synchronized void begin(WorkPlan other) {
        restore(Optional.of(State.of(other)));
    }

    /**
     * Continues with the same shards, possibly at other addresses, for the number of epochs of {@code other}; or pauses, if {@code other}
     * is paused.
     */
    public synchronized void change(WorkPlan other) {
        plan = other;
    }

    /** Returns whether a shard of this number was added before. */
    public synchronized boolean hasAdded(long number) {
        return added.has(number);
    }

    /**
     * Returns why a shard cannot be added now; empty if it can.
     *
     * @param share the samples that are added in an epoch are at most this share of its own
     */
    public synchronized Optional<String> addRefusal(PlannedShard shard, double share) {
        WorkPlan known = Optional.ofNullable(plan).orElseThrow();
        return hasMore()
                ? added.refusal(shard, share, known, epoch(known))
                : Optional.of("all %d epochs are assigned".formatted(known.epochs()));
    }

    private long epoch(WorkPlan known) {
        return next / known.shards().size();
    }

    /** Adds a shard, which is trained on once. */
    public synchronized void add(long number, PlannedShard shard) {
        added.add(number, shard, epoch(Optional.ofNullable(plan).orElseThrow()));
    }

    /** Gives a shard that was added before another address, if it is not done yet. */
    public synchronized void renewAdded(long number, PlannedShard shard) {
        added.renew(number, shard);
    }

    /** Returns the shard that the worker holds, from the position it has reached. */
    public synchronized Optional<Assignment> heldBy(String worker) {
        return Optional.ofNullable(holders.get(worker))
                .map(this::assignment)
                .or(() -> Optional.ofNullable(plan).flatMap(known -> added.heldBy(worker, known)));
    }

    /** Returns whether workers get no further pieces until the work is changed again. */
    public synchronized boolean isPaused() {
        return plan != null && Boolean.TRUE.equals(plan.paused());
    }

    /** Returns the next piece: one that was given back comes first, then an added shard, then a new one. */
    public synchronized Optional<Assignment> free() {
        if (plan == null || isPaused()) {
            return Optional.empty();
        }
        Set<Long> held = new HashSet<>(holders.values());
        Optional<Long> left =
                open.keySet().stream().filter(piece -> !held.contains(piece)).findFirst();
        if (left.isPresent()) {
            return left.map(this::assignment);
        }
        Optional<Assignment> waiting = added.free(plan);
        if (waiting.isPresent()) {
            return waiting;
        }
        return hasMore() ? Optional.of(assignment(next)) : Optional.empty();
    }

    private boolean hasMore() {
        return plan != null
                && (plan.epochs() == 0 || next < plan.epochs() * plan.shards().size());
    }

    private Assignment assignment(long piece) {
        WorkPlan known = Optional.ofNullable(plan).orElseThrow();
        int shard = (int) (piece % known.shards().size());
        Cursor cursor = new Cursor(piece / known.shards().size(), shard, open.getOrDefault(piece, 0L));
        return new Assignment(cursor, known.shards().get(shard));
    }

    private long piece(Cursor cursor) {
        WorkPlan known = Optional.ofNullable(plan).orElseThrow();
        return cursor.epoch() * known.shards().size() + cursor.shard();
    }

    /** Assigns a free shard to a worker that holds none. */
    public synchronized void lease(String worker, Cursor cursor) {
        if (isAdded(cursor)) {
            added.lease(worker, cursor, Optional.ofNullable(plan).orElseThrow());
            return;
        }
        long piece = piece(cursor);
        if (piece == next) {
            next++;
        }
        open.putIfAbsent(piece, 0L);
        holders.put(worker, piece);
    }

    /**
     * Returns the reason why the worker cannot have reached {@code reached} with {@code count} samples; empty if it
     * can.
     */
    public synchronized Optional<String> refusal(String worker, Cursor reached, long count) {
        Optional<Assignment> held = heldBy(worker);
        if (held.isEmpty()) {
            return Optional.of(
                    "worker '%s' has no shard, but its gradient covers samples up to %s: ask for the next shard"
                            .formatted(worker, reached));
        }
        Assignment has = held.get();
        long size = has.shard().samples();
        if (!has.cursor().isInShardOf(reached)
                || has.cursor().sample() != reached.sample() - count
                || reached.sample() > size) {
            return Optional.of(
                    "worker '%s' is at %s of a shard of %d samples, but its gradient covers %d samples up to %s: ask for the next shard"
                            .formatted(worker, has.cursor(), size, count, reached));
        }
        return Optional.empty();
    }

    /** Counts the samples up to {@code reached} as done. */
    public synchronized void advance(String worker, Cursor reached) {
        if (isAdded(reached)) {
            added.advance(worker, reached, Optional.ofNullable(plan).orElseThrow());
            return;
        }
        long piece = piece(reached);
        samples += reached.sample() - open.getOrDefault(piece, 0L);
        if (reached.sample() == assignment(piece).shard().samples()) {
            open.remove(piece);
            holders.remove(worker);
        } else {
            open.put(piece, reached.sample());
        }
    }

    /**
     * Counts the first {@code count} samples of the work as done, in the order of the pieces, and nothing else: for a
     * training that takes the pieces by itself, one after the other. Does nothing without work.
     */
    public synchronized void advanceTo(long count) {
        if (plan == null) {
            return;
        }
        long perEpoch = plan.samplesPerEpoch();
        int shards = plan.shards().size();
        long done = plan.epochs() == 0 ? count : Math.min(count, plan.epochs() * perEpoch);
        long left = done % perEpoch;
        int shard = 0;
        while (left >= plan.shards().get(shard).samples()) {
            left -= plan.shards().get(shard).samples();
            shard++;
        }
        open.clear();
        holders.clear();
        samples = done;
        next = done / perEpoch * shards + shard;
        if (left > 0) {
            open.put(next, left);
            next++;
        }
    }

    /** Releases the worker's shard, if it holds one; its remaining samples are free. */
    public synchronized void release(String worker) {
        holders.remove(worker);
        added.release(worker);
    }

    private boolean isAdded(Cursor cursor) {
        return plan != null && cursor.shard() >= plan.shards().size();
    }

    /** Returns an added shard and how far it is; empty if the cursor is of none, or of one that was done long ago. */
    public synchronized Optional<AddedShards.Piece> addedPiece(Cursor cursor) {
        WorkPlan known = plan;
        return known != null && isAdded(cursor) ? added.piece(cursor, known) : Optional.empty();
    }

    /** Returns how many samples of a piece are done; the cursor's shard must be in the plan. */
    public synchronized long doneOf(Cursor cursor) {
        long piece = piece(cursor);
        if (piece >= next) {
            return 0;
        }
        return open.getOrDefault(piece, assignment(piece).shard().samples());
    }

    public synchronized Optional<Figures> figures() {
        return Optional.ofNullable(plan)
                .map(known -> new Figures(
                        known,
                        samples,
                        next - open.size(),
                        holders.size() + added.held(),
                        isDone(),
                        added.state()
                                .map(each ->
                                        new AddedFigures(each.last(), each.samples(), each.done(), added.left()))));
    }

    /** Returns a copy of the progress, if there is work. */
    public synchronized Optional<State> state() {
        return Optional.ofNullable(plan).map(known -> new State(known, next, samples, open, holders, added.state()));
    }

    public synchronized void restore(Optional<State> state) {
        open.clear();
        holders.clear();
        plan = state.map(State::plan).orElse(null);
        next = state.map(State::next).orElse(0L);
        samples = state.map(State::samples).orElse(0L);
        state.ifPresent(kept -> {
            open.putAll(kept.open());
            holders.putAll(kept.holders());
        });
        added.restore(state.flatMap(State::added).orElse(AddedShards.NONE));
    }

    /**
     * A shard to train on.
     *
     * @param cursor position to begin at
     * @param shard  the shard
     */
    public record Assignment(Cursor cursor, PlannedShard shard) {}

    /**
     * The progress of a run's work, as it is persisted. A piece is one shard in one epoch; it has the number
     * {@code epoch * shards + shard}, and pieces are assigned in the order of their numbers.
     *
     * @param plan    all of the work
     * @param next    the first piece that was never assigned
     * @param samples samples done, over all pieces
     * @param open    pieces in progress, with the number of samples done of each
     * @param holders the piece that each worker holds
     * @param added   the shards that were added; empty if there are none
     */
    public record State(
            WorkPlan plan,
            long next,
            long samples,
            NavigableMap<Long, Long> open,
            Map<String, Long> holders,
            Optional<AddedShards> added) {

        public State {
            open = new TreeMap<>(open);
            holders = Collections.unmodifiableMap(new TreeMap<>(holders));
        }

        /** Returns the work before the first assignment. */
        static State of(WorkPlan plan) {
            return new State(plan, 0, 0, new TreeMap<>(), Map.of(), Optional.empty());
        }

        /** Returns the same work before the first assignment. */
        public State anew() {
            return of(plan);
        }

        /** Returns the same work with no piece held by a worker. */
        public State unheld() {
            return new State(plan, next, samples, open, Map.of(), added.map(AddedShards::unheld));
        }
    }
}
