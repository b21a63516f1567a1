package org.fleetgrad.ps.work;

import static org.fleetgrad.protocol.messages.WorkMessages.AddWorkRequest.MOST_REMEMBERED;

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
import org.fleetgrad.ps.work.AddedShards.Piece;
import org.fleetgrad.ps.work.WorkQueue.Assignment;

/**
 * Shards that were added to the work of a run while it runs (ADR 59). Each is trained on once, however long the run is. It has a number
 * larger than that of every earlier one, so adding it again changes nothing. Guarded by its queue.
 *
 * <p>The cursor of an added shard has an index behind those of the plan. Workers may keep the shard of the last index that they fetched,
 * so two shards in a row have different ones; a shard whose index had a turn before has a larger epoch.
 */
final class AddedWork {

    private final NavigableMap<Long, Piece> pieces = new TreeMap<>();
    private final Map<String, Long> holders = new HashMap<>();
    private long last;
    private long epoch;
    private long inEpoch;
    private long samples;
    private long done;

    AddedWork() {
        restore(AddedShards.NONE);
    }

    /** Returns whether a shard of this number was added before. */
    boolean has(long number) {
        return number <= last;
    }

    /**
     * Returns why a shard cannot be added now; empty if it can.
     *
     * @param share the samples that are added in an epoch are at most this share of its own
     */
    Optional<String> refusal(PlannedShard shard, double share, WorkPlan plan, long nowEpoch) {
        // Two in a row need different indices.
        if (indices(plan) < 2) {
            return Optional.of("a plan of %d shards leaves no index for added ones"
                    .formatted(plan.shards().size()));
        }
        long most = (long) (share * (double) plan.samplesPerEpoch());
        long room = most - inEpoch(nowEpoch);
        if (shard.samples() > room) {
            return Optional.of(
                    "in an epoch of %d samples at most %d may be added, a share of %s (ps.added-work-share); epoch %d has room for %d, and '%s' has %d"
                            .formatted(
                                    plan.samplesPerEpoch(),
                                    most,
                                    share,
                                    nowEpoch,
                                    Math.max(0, room),
                                    shard.name(),
                                    shard.samples()));
        }
        return pieces.size() == MOST_REMEMBERED && left() == MOST_REMEMBERED
                ? Optional.of("%d added shards are not done yet, and no more are remembered".formatted(MOST_REMEMBERED))
                : Optional.empty();
    }

    private long inEpoch(long nowEpoch) {
        return nowEpoch == epoch ? inEpoch : 0;
    }

    void add(long number, PlannedShard shard, long nowEpoch) {
        if (pieces.size() == MOST_REMEMBERED) {
            pieces.entrySet().stream()
                    .filter(each -> each.getValue().isDone())
                    .findFirst()
                    .map(Map.Entry::getKey)
                    .ifPresent(pieces::remove);
        }
        inEpoch = inEpoch(nowEpoch) + shard.samples();
        epoch = nowEpoch;
        last = number;
        pieces.put(number, new Piece(shard, 0));
    }

    /** Gives a shard that is not done yet another address. */
    void renew(long number, PlannedShard shard) {
        pieces.computeIfPresent(
                number,
                (same, piece) -> piece.isDone()
                        ? piece
                        : new Piece(
                                new PlannedShard(
                                        piece.shard().name(),
                                        shard.url(),
                                        piece.shard().samples()),
                                piece.done()));
    }

    boolean isDone() {
        return pieces.values().stream().allMatch(Piece::isDone);
    }

    /** Returns the shard that a worker holds. */
    Optional<Assignment> heldBy(String worker, WorkPlan plan) {
        return Optional.ofNullable(holders.get(worker)).map(number -> assignment(number, plan));
    }

    /** Returns the oldest added shard that is neither done nor held. */
    Optional<Assignment> free(WorkPlan plan) {
        Set<Long> held = new HashSet<>(holders.values());
        return pieces.entrySet().stream()
                .filter(each -> !each.getValue().isDone() && !held.contains(each.getKey()))
                .findFirst()
                .map(each -> assignment(each.getKey(), plan));
    }

    private Assignment assignment(long number, WorkPlan plan) {
        Piece piece = Optional.ofNullable(pieces.get(number)).orElseThrow();
        int indices = indices(plan);
        int shard = plan.shards().size() + (int) (number % indices);
        return new Assignment(new Cursor(number / indices, shard, piece.done()), piece.shard());
    }

    /** Returns how many indices added shards take in turn. */
    static int indices(WorkPlan plan) {
        return WorkPlan.MAX_SHARDS - plan.shards().size();
    }

    private static long number(Cursor cursor, WorkPlan plan) {
        return cursor.epoch() * indices(plan) + cursor.shard() - plan.shards().size();
    }

    void lease(String worker, Cursor cursor, WorkPlan plan) {
        holders.put(worker, number(cursor, plan));
    }

    void release(String worker) {
        holders.remove(worker);
    }

    /** Counts the samples of an added shard up to {@code reached} as done. */
    void advance(String worker, Cursor reached, WorkPlan plan) {
        long number = number(reached, plan);
        Piece before = Optional.ofNullable(pieces.get(number)).orElseThrow();
        Piece after = new Piece(before.shard(), reached.sample());
        samples += after.done() - before.done();
        pieces.put(number, after);
        if (after.isDone()) {
            done++;
            holders.remove(worker);
        }
    }

    /** Returns an added shard; empty if there is none at the cursor, or it was done long ago. */
    Optional<Piece> piece(Cursor cursor, WorkPlan plan) {
        return Optional.ofNullable(pieces.get(number(cursor, plan)));
    }

    int held() {
        return holders.size();
    }

    /** Returns how many added shards are not done. */
    int left() {
        return (int) pieces.values().stream().filter(piece -> !piece.isDone()).count();
    }

    /** Returns a copy of the progress; empty if nothing was added. */
    Optional<AddedShards> state() {
        return last < 0
                ? Optional.empty()
                : Optional.of(new AddedShards(last, epoch, inEpoch, samples, done, pieces, holders));
    }

    void restore(AddedShards state) {
        last = state.last();
        epoch = state.epoch();
        inEpoch = state.inEpoch();
        samples = state.samples();
        done = state.done();
        pieces.clear();
        pieces.putAll(state.pieces());
        holders.clear();
        holders.putAll(state.holders());
    }
}
