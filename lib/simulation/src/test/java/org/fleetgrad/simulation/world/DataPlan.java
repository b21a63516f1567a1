package org.fleetgrad.simulation.world;

import java.util.Random;
import org.fleetgrad.simulation.worker.SampleShards;

/**
 * What the workers of a world train on.
 *
 * @param shards    shards of the dataset
 * @param shardSize samples of a shard
 * @param epochs    passes over the dataset
 * @param added     shards that are added while the run runs, and trained on once
 */
record DataPlan(int shards, int shardSize, long epochs, int added) {

    static DataPlan draw(Random random) {
        int shards = 1 + random.nextInt(3);
        return new DataPlan(
                shards,
                WorkersPlan.BATCH_SIZE * (1 + random.nextInt(4)),
                1 + random.nextInt(2),
                // An epoch lets at most as many samples be added as it has.
                Draw.chance(random, 0.5) ? random.nextInt(shards + 1) : 0);
    }

    /** Returns the shards. */
    SampleShards made() {
        return SampleShards.of(shards, shardSize, epochs, added);
    }
}
