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
import org.fleetgrad.pipeline.run.StageConfiguration;
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
    private final StageConfiguration configuration;
    private final Augmentation augmentation;
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
    ShardBatches(boolean isFirst, BatchOrder order, StageConfiguration configuration, Augmentation augmentation) {
        this.isFirst = isFirst;
        this.order = order;
        this.configuration = configuration;
        this.augmentation = augmentation;
    }

    /**
     * Returns the micro-batches of one window.
     *
     * @param onLabels receives the place of each micro-batch whose labels are requested
     */
    MicroBatches of(Window window, LongConsumer onLabels) {
        return new MicroBatches() {
            @Override
            public int count() {
                return window.count();
            }

            @Override
            public MicroBatch at(int place, boolean withLabels) {
                long index = window.from() + place;
                BatchPlace batch = order.at(index);
                int[] labels = withLabels ? labels(batch) : new int[0];
                if (withLabels) {
                    onLabels.accept(index);
                }
                return new MicroBatch(index, dropoutSeed(batch.epoch(), index), labels);
            }

            @Override
            public Frame samples(int place) {
                return images(window.from() + place);
            }
        };
    }

    private long dropoutSeed(long epoch, long index) {
        return SplitMix64.of(SplitMix64.of(configuration.seed(), epoch).nextLong(), index % order.perEpoch())
                .nextLong();
    }

    private int[] labels(BatchPlace place) {
        Open shard = open(place);
        int[] samples = shard.epoch().samples(place.from(), place.count());
        int[] labels = new int[samples.length];
        for (int i = 0; i < samples.length; i++) {
            labels[i] = shard.labels()[samples[i]];
        }
        return labels;
    }

    /** Returns the images of a micro-batch, normalized and changed at random. */
    private Frame images(long index) {
        BatchPlace place = order.at(index);
        Open open = open(place);
        Shard shard = Objects.requireNonNull(open.shard());
        Samples all = shard.samples();
        float[] images = new float[Math.multiplyExact(place.count(), all.imageBytes())];
        ImageChanges changes = augmentation.during(
                configuration.seed(), place.epoch(), shard.description().range().first());
        shard.description()
                .normalization()
                .normalize(all, open.epoch().samples(place.from(), place.count()), images, changes);
        List<Long> shape = new ArrayList<>(List.of((long) place.count()));
        all.shape().forEach(side -> shape.add((long) side));
        return new Frame(Direction.FORWARD, index, shape, FloatBuffer.wrap(images));
    }

    private Open open(BatchPlace place) {
        Open now = open;
        if (now == null || now.index() != place.shard()) {
            // Free the old shard before the new one is loaded.
            open = null;
            Shard read = fetch(configuration.shards().get(place.shard()));
            now = order(isFirst ? read : null, labels(read.samples()), place);
        } else if (now.epochNumber() != place.epoch()) {
            now = order(now.shard(), now.labels(), place);
        }
        open = now;
        return now;
    }

    private Shard fetch(String address) {
        try {
            return source.fetch(address).shard();
        } catch (ShardUnavailableException gone) {
            throw new UncheckedIOException(new IOException(gone.getMessage(), gone));
        }
    }

    private static int[] labels(Samples samples) {
        int[] labels = new int[samples.count()];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = samples.label(i);
        }
        return labels;
    }

    private Open order(@Nullable Shard shard, int[] labels, BatchPlace place) {
        BatchSampler sampler = new BatchSampler(labels.length, configuration.microBatch(), configuration.seed());
        return new Open(place.shard(), place.epoch(), shard, labels, sampler.epoch(place.epoch()));
    }
}
