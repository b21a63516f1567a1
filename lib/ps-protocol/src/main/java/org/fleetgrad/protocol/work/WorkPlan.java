package org.fleetgrad.protocol.work;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All the work of a run: every shard once per epoch. Immutable.
 *
 * @param dataset name of the dataset
 * @param epochs  passes over it; 0 for no end
 * @param shards  its shards; a cursor's shard is an index in this list
 * @param paused  whether workers end after their batch, and get no further shards. The work continues when it is put again without
 *     this. Null, as in what a server wrote before work could pause, is false
 */
public record WorkPlan(
        String dataset,
        long epochs,
        List<PlannedShard> shards,
        @Nullable Boolean paused) {

    /** Most shards: a server can store that many in memory and in each checkpoint. */
    public static final int MAX_SHARDS = 10_000;

    /** Most passes over a dataset. */
    public static final long MAX_EPOCHS = 1_000_000_000;

    /** Most samples of a shard, and so of a gradient. Products of this number and the others stay far below 2^63. */
    public static final long MAX_SAMPLES = 1_000_000_000;

    private static final int MAX_TEXT_LENGTH = 2048;

    /**
     * One piece of the dataset.
     *
     * @param name    its name in messages; unique in the plan
     * @param url     address from which workers fetch it, such as a presigned URL; may be renewed
     * @param samples number of its training samples, 1 to 10^9
     */
    public record PlannedShard(String name, String url, long samples) {

        /** Checks its members. */
        public PlannedShard {
            requireText("a shard's 'name'", name);
            requireText("a shard's 'url'", url);
            if (samples < 1 || samples > MAX_SAMPLES) {
                throw new IllegalArgumentException(
                        "a shard has from 1 to %d samples; '%s' states %d".formatted(MAX_SAMPLES, name, samples));
            }
        }
    }

    /**
     * Checks the plan.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    public WorkPlan {
        requireText("'dataset'", dataset);
        if (epochs < 0 || epochs > MAX_EPOCHS) {
            throw new IllegalArgumentException(
                    "'epochs' is from 1 to %d, or 0 for no end; it is %d".formatted(MAX_EPOCHS, epochs));
        }
        paused = paused != null && paused;
        shards = List.copyOf(shards);
        if (shards.isEmpty() || shards.size() > MAX_SHARDS) {
            throw new IllegalArgumentException(
                    "'shards' has from 1 to %d; it has %d".formatted(MAX_SHARDS, shards.size()));
        }
        long names = shards.stream().map(PlannedShard::name).distinct().count();
        if (names != shards.size()) {
            throw new IllegalArgumentException(
                    "the %d shards have only %d different names".formatted(shards.size(), names));
        }
    }

    /** Makes a plan that is not paused. */
    public WorkPlan(String dataset, long epochs, List<PlannedShard> shards) {
        this(dataset, epochs, shards, false);
    }

    /** Returns the same work, paused. */
    public WorkPlan asPaused() {
        return new WorkPlan(dataset, epochs, shards, true);
    }

    private static void requireText(String what, String text) {
        if (text.isBlank() || text.length() > MAX_TEXT_LENGTH) {
            throw new IllegalArgumentException(
                    "%s has 1 to %d characters; it has %d".formatted(what, MAX_TEXT_LENGTH, text.length()));
        }
    }

    /** Returns the samples of one pass over all shards. */
    public long samplesPerEpoch() {
        return shards.stream().mapToLong(PlannedShard::samples).sum();
    }

    /** Returns whether both have the same shards with the same samples; addresses and epochs may differ. */
    public boolean isOverSameShardsAs(WorkPlan other) {
        return dataset.equals(other.dataset)
                && shards.size() == other.shards.size()
                && IntStream.range(0, shards.size())
                        .allMatch(i ->
                                shards.get(i).name().equals(other.shards.get(i).name())
                                        && shards.get(i).samples()
                                                == other.shards.get(i).samples());
    }
}
