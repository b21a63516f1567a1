package org.fleetgrad.worker.stage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.datasets.augment.ImageChanges;
import org.fleetgrad.datasets.sampling.BatchSampler;
import org.fleetgrad.datasets.sampling.BatchSampler.Epoch;
import org.fleetgrad.datasets.sampling.SplitMix64;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.frame.Frame.Direction;
import org.fleetgrad.pipeline.run.BatchOrder;
import org.fleetgrad.pipeline.run.BatchOrder.BatchPlace;
import org.fleetgrad.pipeline.run.Windows.Window;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.training.MicroBatches;
import org.fleetgrad.worker.data.ShardSource;
import org.fleetgrad.worker.data.ShardUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * The micro-batches of a run, from its shards. The first stage reads the images and the last one the labels; a stage
 * between them opens no shard. One shard at a time is in memory, on the last stage without its images. For one thread
 * at a time.
 */
final class ShardBatches {

    private final boolean isFirst;
    private final BatchOrder order;
    private final List<String> shards;
    private final int microBatch;
    private final Augmentation augmentation;
    private final long seed;
    private final ShardSource source = new ShardSource(ShardLimits.DEFAULT);
    private @Nullable Open open;

    /**
     * A loaded shard, in the order of one epoch.
     *
     * @param shard null on a stage that reads only labels: the images are a hundred times as large
     */
    private record Open(
            int index, long epochNumber, @Nullable Shard shard, int[] labels, Epoch epoch) {}

    /**
     * @param isFirst whether this is for the first stage, which reads images
     */
    ShardBatches(
            boolean isFirst,
            BatchOrder order,
            List<String> shards,
            int microBatch,
            Augmentation augmentation,
            long seed) {
        this.isFirst = isFirst;
        this.order = order;
        this.shards = List.copyOf(shards);
        this.microBatch = microBatch;
        this.augmentation = augmentation;
        this.seed = seed;
    }

    /** Returns a micro-batch by its place in the run, with its labels if they are needed. */
    MicroBatch at(long index, boolean withLabels) throws ShardUnavailableException {
        BatchPlace place = order.at(index);
        long drawn = SplitMix64.of(SplitMix64.of(seed, place.epoch()).nextLong(), index % order.perEpoch())
                .nextLong();
        return new MicroBatch(index, drawn, withLabels ? labels(place) : new int[0]);
    }

    private int[] labels(BatchPlace place) throws ShardUnavailableException {
        Open shard = open(place);
        int[] samples = shard.epoch().samples(place.from(), place.count());
        int[] labels = new int[samples.length];
        for (int i = 0; i < samples.length; i++) {
            labels[i] = shard.labels()[samples[i]];
        }
        return labels;
    }

    /** Returns the images of a micro-batch, normalized and changed at random. */
    Frame images(long index) throws ShardUnavailableException {
        BatchPlace place = order.at(index);
        Open open = open(place);
        Shard shard = Objects.requireNonNull(open.shard());
        Samples all = shard.samples();
        float[] images = new float[Math.multiplyExact(place.count(), all.imageBytes())];
        ImageChanges changes = augmentation.during(
                seed, place.epoch(), shard.description().range().first());
        shard.description()
                .normalization()
                .normalize(all, open.epoch().samples(place.from(), place.count()), images, changes);
        List<Long> shape = new ArrayList<>(List.of((long) place.count()));
        all.shape().forEach(side -> shape.add((long) side));
        return new Frame(Direction.FORWARD, index, shape, FloatBuffer.wrap(images));
    }

    private Open open(BatchPlace place) throws ShardUnavailableException {
        Open now = open;
        if (now == null || now.index() != place.shard()) {
            // Free the old shard before the new one is loaded.
            open = null;
            Shard read = source.fetch(shards.get(place.shard())).shard();
            now = order(isFirst ? read : null, labels(read.samples()), place);
        } else if (now.epochNumber() != place.epoch()) {
            now = order(now.shard(), now.labels(), place);
        }
        open = now;
        return now;
    }

    private static int[] labels(Samples samples) {
        int[] labels = new int[samples.count()];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = samples.label(i);
        }
        return labels;
    }

    private Open order(@Nullable Shard shard, int[] labels, BatchPlace place) {
        BatchSampler sampler = new BatchSampler(labels.length, microBatch, seed);
        return new Open(place.shard(), place.epoch(), shard, labels, sampler.epoch(place.epoch()));
    }

    /** The micro-batches of one window, for one stage. */
    static final class WindowBatches implements MicroBatches {

        private final ShardBatches batches;
        private final Window window;
        private final LongConsumer onLabels;

        /**
         * @param onLabels receives the place of each micro-batch whose labels are requested
         */
        WindowBatches(ShardBatches batches, Window window, LongConsumer onLabels) {
            this.batches = batches;
            this.window = window;
            this.onLabels = onLabels;
        }

        @Override
        public int count() {
            return window.count();
        }

        @Override
        public MicroBatch at(int place, boolean withLabels) {
            try {
                MicroBatch batch = batches.at(window.from() + place, withLabels);
                if (withLabels) {
                    onLabels.accept(batch.index());
                }
                return batch;
            } catch (ShardUnavailableException gone) {
                throw new UncheckedIOException(new IOException(gone.getMessage(), gone));
            }
        }

        @Override
        public Frame samples(int place) {
            try {
                return batches.images(window.from() + place);
            } catch (ShardUnavailableException gone) {
                throw new UncheckedIOException(new IOException(gone.getMessage(), gone));
            }
        }
    }
}
