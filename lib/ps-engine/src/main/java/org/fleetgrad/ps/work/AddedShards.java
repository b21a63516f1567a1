package org.fleetgrad.ps.work;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;

/**
 * The shards that were added to the work of a run, as they are persisted.
 *
 * @param last    the largest number of a shard that was added
 * @param epoch   the epoch of the plan in which that was
 * @param inEpoch samples that were added in this epoch
 * @param samples samples done, over all added shards
 * @param done    added shards that are done
 * @param pieces  the newest added shards by their numbers, and how far each is
 * @param holders the number of the added shard that each worker holds
 */
public record AddedShards(
        long last,
        long epoch,
        long inEpoch,
        long samples,
        long done,
        NavigableMap<Long, Piece> pieces,
        Map<String, Long> holders) {

    /** Nothing was added. */
    static final AddedShards NONE = new AddedShards(-1, 0, 0, 0, 0, new TreeMap<>(), Map.of());

    public AddedShards {
        pieces = new TreeMap<>(pieces);
        holders = Collections.unmodifiableMap(new TreeMap<>(holders));
    }

    /**
     * An added shard.
     *
     * @param shard the shard
     * @param done  samples of it that are done
     */
    public record Piece(PlannedShard shard, long done) {

        boolean isDone() {
            return done == shard.samples();
        }
    }

    /** Returns the same with no shard held by a worker. */
    AddedShards unheld() {
        return new AddedShards(last, epoch, inEpoch, samples, done, pieces, Map.of());
    }
}
