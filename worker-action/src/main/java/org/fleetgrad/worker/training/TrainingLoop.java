package org.fleetgrad.worker.training;

import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.sampling.Epoch;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.networks.Network;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.worker.training.Pace.Deed;
import org.fleetgrad.worker.training.ParameterExchange.Pushed;

/**
 * Trains on shards: batches in a seeded order, gradients accumulated over {@code updateInterval} batches at fixed
 * parameters, their mean pushed, the new parameters taken from the same answer.
 *
 * <p>The mean of H batches' gradients at one point is the gradient of one batch H times as large.
 */
final class TrainingLoop {

    private final Network network;
    private final ParameterExchange exchange;
    private final int batchSize;
    private final int updateInterval;
    private final BooleanSupplier stop;
    private final Pace pace;
    private final float[] gradient;
    private float[] images = {};
    private int pendingBatches;
    private int pendingBatchSize;
    private double pendingLoss;
    private long samples;
    private long counted;
    private long steps;
    private double lossSum;
    private Optional<Cursor> reached = Optional.empty();

    /** How a pass over a shard ended. */
    enum End {
        /** Every sample of it was trained on. */
        WHOLE,
        /** It was stopped before. */
        STOPPED,
        /** The server has the worker elsewhere: it is to ask where. */
        ELSEWHERE
    }

    /**
     * @param stop asked between batches: whether to push what is held and end
     * @param pace hears how long batches and pushes take
     */
    TrainingLoop(
            Network network,
            ParameterExchange exchange,
            int batchSize,
            int updateInterval,
            BooleanSupplier stop,
            Pace pace) {
        this.network = network;
        this.exchange = exchange;
        this.batchSize = batchSize;
        this.updateInterval = updateInterval;
        this.stop = stop;
        this.pace = pace;
        this.gradient = new float[(int) network.spec().layout().elementCount()];
    }

    /** Goes on from these parameters. */
    void load(Pulled pulled) {
        network.load(pulled.parameters());
    }

    /**
     * Trains on a shard, once.
     *
     * @param order the samples' order in this epoch
     * @param from  where in the server's work to begin; a gradient of it that is dropped is computed again, so that each
     *     sample counts once. Nothing for a shard of one's own, all of which is trained on whatever becomes of a gradient
     */
    End pass(Shard shard, Epoch order, Optional<Cursor> from) throws IOException, TrainingFailedException {
        int size = shard.samples().count();
        reached = from;
        int at = (int) from.map(Cursor::sample).orElse(0L).longValue();
        while (at < size || pendingBatches > 0) {
            boolean isStopped = at < size && stop.getAsBoolean();
            int count = Math.min(batchSize, size - at);
            if (!isStopped && at < size && (pendingBatches == 0 || count == pendingBatchSize)) {
                train(shard, order.samples(at, count));
                at += count;
                if (pendingBatches < updateInterval) {
                    continue;
                }
            }
            // A mean over batches is the mean over samples only while the batches are of one size.
            Optional<Cursor> behind = reached.map(place -> place.plus(pendingSamples()));
            Pushed.Fate fate = flush(behind);
            if (from.isPresent() && fate == Pushed.Fate.ELSEWHERE) {
                return End.ELSEWHERE;
            }
            if (from.isPresent() && fate == Pushed.Fate.DROPPED) {
                at = (int) reached.orElseThrow().sample();
            } else {
                reached = behind;
            }
            if (isStopped) {
                return End.STOPPED;
            }
        }
        return End.WHOLE;
    }

    private void train(Shard shard, int[] batch) throws TrainingFailedException {
        long begin = pace.begin();
        Samples all = shard.samples();
        int needed = batchSize * all.imageBytes();
        if (images.length < needed) {
            images = new float[needed];
        }
        shard.description().normalization().normalize(all, batch, images);
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
        pendingBatches++;
        pace.end(Deed.STEP, begin);
    }

    private long pendingSamples() {
        return (long) pendingBatches * pendingBatchSize;
    }

    /** Pushes what is held. */
    private Pushed.Fate flush(Optional<Cursor> behind) throws IOException, TrainingFailedException {
        if (pendingBatches == 0) {
            return Pushed.Fate.COUNTED;
        }
        long begin = pace.begin();
        network.drainGradient(gradient, 1f / pendingBatches);
        double loss = pendingLoss / pendingBatches;
        long count = pendingSamples();
        pendingBatches = 0;
        pendingLoss = 0;
        Pushed pushed = exchange.push(gradient, count, loss, behind, stop);
        load(pushed.parameters());
        counted += pushed.fate() == Pushed.Fate.COUNTED ? count : 0;
        pace.end(Deed.PUSH, begin);
        return pushed.fate();
    }

    /** Returns where in the server's work the last pass has come to. */
    Optional<Cursor> reached() {
        return reached;
    }

    /** Returns how many samples were computed. */
    long samples() {
        return samples;
    }

    /** Returns how many of them were in gradients that the server took. */
    long counted() {
        return counted;
    }

    long steps() {
        return steps;
    }

    /** Returns the mean loss over the samples, 0 before the first. */
    double averageLoss() {
        return samples == 0 ? 0 : lossSum / samples;
    }
}
