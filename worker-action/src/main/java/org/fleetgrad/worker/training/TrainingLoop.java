package org.fleetgrad.worker.training;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.sampling.BatchSampler;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.networks.Network;

/**
 * Trains on one shard: batches in a seeded order, gradients accumulated over {@code updateInterval} batches at fixed
 * parameters, their mean pushed, the new parameters taken from the same answer.
 *
 * <p>The mean of H batches' gradients at one point is the gradient of one batch H times as large.
 */
final class TrainingLoop {

    private final Network network;
    private final ParameterExchange exchange;
    private final Shard shard;
    private final int batchSize;
    private final int updateInterval;
    private final BooleanSupplier stop;
    private final float[] images;
    private final float[] gradient;
    private int pendingBatches;
    private int pendingBatchSize;
    private double pendingLoss;
    private long samples;
    private long steps;
    private double lossSum;

    TrainingLoop(
            Network network,
            ParameterExchange exchange,
            Shard shard,
            int batchSize,
            int updateInterval,
            BooleanSupplier stop) {
        this.network = network;
        this.exchange = exchange;
        this.shard = shard;
        this.batchSize = Math.min(batchSize, shard.samples().count());
        this.updateInterval = updateInterval;
        this.stop = stop;
        this.images = new float[this.batchSize * shard.samples().imageBytes()];
        this.gradient = new float[(int) network.spec().layout().elementCount()];
    }

    /** Runs up to {@code epochs} passes from the {@code first}-th on; returns how many were whole. */
    int run(int first, int epochs, long seed) throws IOException, TrainingFailedException {
        load(exchange.join());
        BatchSampler sampler = new BatchSampler(shard.samples().count(), batchSize, seed);
        for (int epoch = 0; epoch < epochs; epoch++) {
            for (int[] batch : sampler.epoch(first + epoch)) {
                if (stop.getAsBoolean()) {
                    flush();
                    return epoch;
                }
                train(batch);
            }
            flush();
        }
        return epochs;
    }

    private void train(int[] batch) throws IOException, TrainingFailedException {
        if (pendingBatches > 0 && batch.length != pendingBatchSize) {
            // A mean over batches is the mean over samples only while the batches are of one size.
            flush();
        }
        Samples all = shard.samples();
        Normalization normalization = shard.description().normalization();
        normalization.normalize(all, batch, images);
        int[] labels = new int[batch.length];
        for (int i = 0; i < batch.length; i++) {
            labels[i] = all.label(batch[i]);
        }
        float loss = network.accumulate(images, labels, batch.length);
        if (!Float.isFinite(loss)) {
            throw new TrainingFailedException(
                    "the loss of batch %d is %s: training has diverged; try a smaller learning rate"
                            .formatted(steps + 1, loss),
                    null);
        }
        steps++;
        samples += batch.length;
        lossSum += (double) loss * batch.length;
        pendingLoss += loss;
        pendingBatchSize = batch.length;
        if (++pendingBatches == updateInterval) {
            flush();
        }
    }

    private void flush() throws IOException, TrainingFailedException {
        if (pendingBatches == 0) {
            return;
        }
        network.drainGradient(gradient, 1f / pendingBatches);
        double loss = pendingLoss / pendingBatches;
        long count = (long) pendingBatches * pendingBatchSize;
        pendingBatches = 0;
        pendingLoss = 0;
        load(exchange.push(gradient, count, loss, stop));
    }

    private void load(Pulled pulled) {
        network.load(pulled.parameters());
    }

    long samples() {
        return samples;
    }

    long steps() {
        return steps;
    }

    /** Returns the mean loss over the samples, 0 before the first. */
    double averageLoss() {
        return samples == 0 ? 0 : lossSum / samples;
    }
}
