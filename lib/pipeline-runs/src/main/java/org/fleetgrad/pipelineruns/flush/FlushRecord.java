package org.fleetgrad.pipelineruns.flush;

import java.util.List;
import java.util.Map;
import org.fleetgrad.pipeline.run.StageMessage.Part;

/**
 * A complete flush: every stage's part of it is on disk. Written last.
 *
 * @param flush      number, from 1
 * @param microBatch index in the run of the first micro-batch after it
 * @param steps      made up to it
 * @param samples    trained on up to it
 * @param seconds    of training up to it
 * @param network    the network's complete name
 * @param cut        first block of each stage but the first
 * @param shards     number of samples of each shard
 * @param settings   options that must not change on resume, with their values
 * @param parts      one for each stage, in their order
 */
public record FlushRecord(
        long flush,
        long microBatch,
        long steps,
        long samples,
        double seconds,
        String network,
        String cut,
        List<Integer> shards,
        Map<String, String> settings,
        List<Part> parts) {

    public FlushRecord {
        shards = List.copyOf(shards);
        parts = List.copyOf(parts);
    }
}
