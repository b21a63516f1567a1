package org.fleetgrad.worker.stage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Labels;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.datasets.augment.EpochDraws;
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
 * The micro-batches of a run, from its shards. The first stage reads the samples and the last one the labels; a stage
 * between them opens no shard. One shard at a time is in memory, on the last stage without its images. For one thread at
 * a time.
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
     * @param shard  null on a stage that reads only labels of images: the images are a hundred times as large
     * @param labels of images; null for other samples; those of a text depend on the window that is drawn
     */
    private record Open(
            int index,
            long epochNumber,
            @Nullable Shard shard,
            @Nullable Labels labels,
            Epoch epoch) {}

    /** A micro-batch as a network takes it. */
    private record Read(float[] inputs, float[] targets) {}

    /**
     * @param isFirst whether this is for the first stage, which reads samples
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
                float[] targets = withLabels ? targets(batch) : new float[0];
                if (withLabels) {
                    onLabels.accept(index);
                }
                return new MicroBatch(index, dropoutSeed(batch.epoch(), index), targets);
            }

            @Override
            public Frame samples(int place) {
                return inputs(window.from() + place);
            }
        };
    }

    private long dropoutSeed(long epoch, long index) {
        return SplitMix64.of(SplitMix64.of(configuration.seed(), epoch).nextLong(), index % order.perEpoch())
                .nextLong();
    }

    private float[] targets(BatchPlace place) {
        Open now = open(place);
        Labels ofImages = now.labels();
        if (ofImages == null) {
            return read(now, place).targets();
        }
        int[] samples = now.epoch().samples(place.from(), place.count());
        float[] targets = new float[samples.length];
        for (int i = 0; i < samples.length; i++) {
            targets[i] = ofImages.get(samples[i]);
        }
        return targets;
    }

    /** Reads a micro-batch: images normalized and changed at random, or windows of a text. */
    private Read read(Open now, BatchPlace place) {
        Shard shard = Objects.requireNonNull(now.shard());
        float[] inputs = new float[Math.multiplyExact(place.count(), shard.inputSize())];
        float[] targets = new float[Math.multiplyExact(place.count(), shard.targetCount())];
        EpochDraws draws = new EpochDraws(augmentation, configuration.seed(), place.epoch());
        shard.read(now.epoch().samples(place.from(), place.count()), draws, inputs, targets);
        return new Read(inputs, targets);
    }

    private Frame inputs(long index) {
        BatchPlace place = order.at(index);
        Open now = open(place);
        List<Long> shape = new ArrayList<>(List.of((long) place.count()));
        Objects.requireNonNull(now.shard())
                .description()
                .schema()
                .task()
                .input()
                .forEach(side -> shape.add((long) side));
        return new Frame(
                Direction.FORWARD,
                index,
                shape,
                FloatBuffer.wrap(read(now, place).inputs()));
    }

    private Open open(BatchPlace place) {
        Open now = open;
        if (now == null || now.index() != place.shard()) {
            // Free the old shard before the new one is loaded.
            open = null;
            Shard shard = fetch(configuration.shards().get(place.shard()));
            Labels labels = shard.samples() instanceof ImageSamples images ? images.labels() : null;
            now = new Open(
                    place.shard(),
                    place.epoch(),
                    isFirst || labels == null ? shard : null,
                    labels,
                    epoch(shard.samples().count(), place));
        } else if (now.epochNumber() != place.epoch()) {
            int count = now.epoch().sampleCount();
            now = new Open(now.index(), place.epoch(), now.shard(), now.labels(), epoch(count, place));
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

    private Epoch epoch(int samples, BatchPlace place) {
        return new BatchSampler(samples, configuration.microBatch(), configuration.seed()).epoch(place.epoch());
    }
}
