package org.fleetgrad.inference.learning;

import java.util.ArrayList;
import java.util.List;

/** Labelled images that are in no file yet. A shard's worth is taken when it is complete, or old. Thread-safe. */
final class OpenShard {

    /** Small enough for a worker's memory, as the shards of a dataset are. */
    static final int MOST_BYTES = 8_000_000;

    private final int samples;
    private final long ageMs;
    private final List<Sample> waiting = new ArrayList<>();
    private long begunMs;

    /** A labelled image. */
    record Sample(byte[] pixels, int label) {}

    /**
     * Makes an empty one.
     *
     * @param samples of a complete shard, if their bytes are not too many
     * @param ageMs   time after which fewer are a shard, too
     */
    OpenShard(int samples, long ageMs) {
        this.samples = samples;
        this.ageMs = ageMs;
    }

    /** Adds a sample; returns whether there is room, which is for two shards. */
    synchronized boolean add(Sample sample, long nowMs) {
        if (waiting.size() >= 2 * most(sample)) {
            return false;
        }
        if (waiting.isEmpty()) {
            begunMs = nowMs;
        }
        waiting.add(sample);
        return true;
    }

    private int most(Sample sample) {
        return Math.max(1, Math.min(samples, MOST_BYTES / Math.max(1, sample.pixels().length)));
    }

    /**
     * Takes the samples of the next shard; empty if there is none yet.
     *
     * @param isLast whether no samples come any more
     */
    synchronized List<Sample> take(long nowMs, boolean isLast) {
        if (waiting.isEmpty()) {
            return List.of();
        }
        int most = most(waiting.get(0));
        if (waiting.size() < most && !isLast && nowMs - begunMs < ageMs) {
            return List.of();
        }
        List<Sample> first = waiting.subList(0, Math.min(most, waiting.size()));
        List<Sample> taken = List.copyOf(first);
        first.clear();
        begunMs = nowMs;
        return taken;
    }
}
