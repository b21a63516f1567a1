package org.fleetgrad.ps.work;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.protocol.work.WorkPlan;
import org.jspecify.annotations.Nullable;

/**
 * The work of a run, and who has which of it: every shard once an epoch, none twice. A worker takes what comes next, so
 * that a faster one simply takes more; what one gives back, or loses with its lease, the next goes on with behind the last
 * sample that counted.
 *
 * <p>The applier changes it, in the order of its journal; others may look on.
 */
public final class WorkQueue {

    private @Nullable WorkPlan plan;
    private long next;
    private long samples;
    private final NavigableMap<Long, Long> open = new TreeMap<>();
    private final Map<String, Long> holders = new HashMap<>();

    /**
     * What to tell whoever looks on.
     *
     * @param plan    all of the work
     * @param samples samples that are done
     * @param done    pieces that are done
     * @param leased  pieces that workers have
     * @param isDone  whether nothing is left
     */
    public record Figures(WorkPlan plan, long samples, long done, int leased, boolean isDone) {}

    /** Returns what the work is, where there is any. */
    public synchronized Optional<WorkPlan> plan() {
        return Optional.ofNullable(plan);
    }

    /** Tells whether any of it has been handed out. */
    public synchronized boolean isBegun() {
        return next > 0;
    }

    /** Tells whether all of it is done, or there is none. */
    public synchronized boolean isDone() {
        return open.isEmpty() && !hasMore();
    }

    /** Begins other work. */
    public synchronized void begin(WorkPlan other) {
        restore(Optional.of(WorkState.of(other)));
    }

    /** Goes on over the same shards, which may lie elsewhere, for as many epochs as it says now. */
    public synchronized void change(WorkPlan other) {
        plan = other;
    }

    /** Returns the shard that the worker has, from where it has come to. */
    public synchronized Optional<Assignment> heldBy(String worker) {
        return Optional.ofNullable(holders.get(worker)).map(this::assignment);
    }

    /** Returns what comes next: what was given back before what nobody has had. */
    public synchronized Optional<Assignment> free() {
        Set<Long> held = new HashSet<>(holders.values());
        Optional<Long> left =
                open.keySet().stream().filter(piece -> !held.contains(piece)).findFirst();
        if (left.isPresent()) {
            return left.map(this::assignment);
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

    /** Gives a free shard to a worker that has none. */
    public synchronized void lease(String worker, Cursor cursor) {
        long piece = piece(cursor);
        if (piece == next) {
            next++;
        }
        open.putIfAbsent(piece, 0L);
        holders.put(worker, piece);
    }

    /** Returns why the worker cannot come to {@code reached} with so many samples; nothing where it can. */
    public synchronized Optional<String> refusal(String worker, Cursor reached, long count) {
        Long piece = holders.get(worker);
        if (piece == null) {
            return Optional.of("worker '%s' has no shard, and its gradient is of samples up to %s: ask for the next"
                    .formatted(worker, reached));
        }
        Assignment has = assignment(piece);
        long size = has.shard().samples();
        if (!has.cursor().isInShardOf(reached)
                || has.cursor().sample() != reached.sample() - count
                || reached.sample() > size) {
            return Optional.of(
                    "worker '%s' is at %s of a shard of %d samples, and its gradient is of %d samples up to %s: ask for the next"
                            .formatted(worker, has.cursor(), size, count, reached));
        }
        return Optional.empty();
    }

    /** Counts the samples up to {@code reached} as done. */
    public synchronized void advance(String worker, Cursor reached) {
        long piece = piece(reached);
        samples += reached.sample() - open.getOrDefault(piece, 0L);
        if (reached.sample() == assignment(piece).shard().samples()) {
            open.remove(piece);
            holders.remove(worker);
        } else {
            open.put(piece, reached.sample());
        }
    }

    /** Takes the worker's shard back, where it has one: what is not done of it is free. */
    public synchronized void giveBack(String worker) {
        holders.remove(worker);
    }

    /** Returns how many samples of a piece are done; the cursor's shard is one of the plan's. */
    public synchronized long doneOf(Cursor cursor) {
        long piece = piece(cursor);
        if (piece >= next) {
            return 0;
        }
        return open.getOrDefault(piece, assignment(piece).shard().samples());
    }

    /** Returns the figures, where there is work. */
    public synchronized Optional<Figures> figures() {
        return Optional.ofNullable(plan)
                .map(known -> new Figures(known, samples, next - open.size(), holders.size(), isDone()));
    }

    /** Returns a copy of how far it is, where there is work. */
    public synchronized Optional<WorkState> state() {
        return Optional.ofNullable(plan).map(known -> new WorkState(known, next, samples, open, holders));
    }

    /** Takes over how far it was. */
    public synchronized void restore(Optional<WorkState> state) {
        open.clear();
        holders.clear();
        plan = state.map(WorkState::plan).orElse(null);
        next = state.map(WorkState::next).orElse(0L);
        samples = state.map(WorkState::samples).orElse(0L);
        state.ifPresent(kept -> {
            open.putAll(kept.open());
            holders.putAll(kept.holders());
        });
    }
}
