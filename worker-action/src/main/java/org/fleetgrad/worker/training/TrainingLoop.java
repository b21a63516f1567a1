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
 *
 * <p>Where it overlaps, a gradient travels while the next is computed: on the parameters before its answer, so that each
 * gradient but the first is one step staler. At most one is under way, and none when a pass is over.
 */
final class TrainingLoop implements AutoCloseable {

    private final Network network;
    private final ParameterExchange exchange;
    private final int batchSize;
    private final int updateInterval;
    private final BooleanSupplier stop;
    private final Pace pace;
    private final PushLine line;
    private float[] spare;
    private float[] other;
    private Optional<Pulled> loaded = Optional.empty();
    private Optional<Flight> flight = Optional.empty();
    private float[] images = {};
    private int pendingBatches;
    private int pendingBatchSize;
    private double pendingLoss;
    private long samples;
    private long counted;
    private long steps;
    private double lossSum;
    private Optional<Cursor> reached = Optional.empty();

    /**
     * A gradient on its way.
     *
     * @param base   the parameters that it was computed on
     * @param behind where in the server's work the worker is behind its samples
     */
    private record Flight(Pulled base, float[] gradient, long samples, double loss, Optional<Cursor> behind) {}

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
     * @param isOverlapping whether batches are computed while a gradient is under way
     */
    TrainingLoop(
            Network network,
            ParameterExchange exchange,
            int batchSize,
            int updateInterval,
            BooleanSupplier stop,
            Pace pace,
            boolean isOverlapping) {
        this.network = network;
        this.exchange = exchange;
        this.batchSize = batchSize;
        this.updateInterval = updateInterval;
        this.stop = stop;
        this.pace = pace;
        this.line = new PushLine(isOverlapping);
        int count = (int) network.spec().layout().elementCount();
        this.spare = new float[count];
        this.other = isOverlapping ? new float[count] : spare;
    }

    /** Goes on from these parameters. */
    void load(Pulled pulled) {
        network.load(pulled.parameters());
        loaded = Optional.of(pulled);
    }

    /**
     * Trains on a shard, once. When it returns, every gradient is answered.
     *
     * @param order the samples' order in this epoch
     * @param from  where in the server's work to begin; a gradient of it that is dropped is computed again, so that each
     *     sample counts once. Nothing for a shard of one's own, all of which is trained on whatever becomes of a gradient
     */
    End pass(Shard shard, Epoch order, Optional<Cursor> from) throws IOException, TrainingFailedException {
        int size = shard.samples().count();
        reached = from;
        int at = (int) from.map(Cursor::sample).orElse(0L).longValue();
        while (at < size || pendingBatches > 0 || flight.isPresent()) {
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
            Pushed.Fate fate = flush(isStopped || at == size);
            if (from.isPresent() && fate == Pushed.Fate.ELSEWHERE) {
                return End.ELSEWHERE;
            }
            if (from.isPresent() && fate == Pushed.Fate.DROPPED) {
                at = (int) reached.orElseThrow().sample();
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

    /**
     * Pushes what is held, behind what is under way, and returns what became of what has landed by now. Where the gradient
     * under way was dropped and its samples come again, what is held is of samples behind them and is dropped, too.
     *
     * @param isLast whether nothing can be computed meanwhile
     */
    private Pushed.Fate flush(boolean isLast) throws IOException, TrainingFailedException {
        Optional<Flight> held = drain();
        Pushed.Fate fate = Pushed.Fate.COUNTED;
        if (flight.isPresent()) {
            fate = land();
            if (reached.isPresent() && fate != Pushed.Fate.COUNTED) {
                return fate;
            }
        }
        if (held.isPresent()) {
            Flight next = held.get();
            flight = held;
            line.launch(() -> pushed(next));
            if (isLast || !line.isOverlapping()) {
                fate = land();
            }
        }
        return fate;
    }

    /** Timed here, in whatever thread: what is left of a push when it is waited for says little of the next. */
    private Pushed pushed(Flight next) throws IOException, TrainingFailedException {
        long begin = pace.begin();
        Pushed pushed = exchange.push(next.base(), next.gradient(), next.samples(), next.loss(), next.behind(), stop);
        pace.end(Deed.PUSH, begin);
        return pushed;
    }

    /** Takes what is held out of the network, before other parameters are loaded. */
    private Optional<Flight> drain() {
        if (pendingBatches == 0) {
            return Optional.empty();
        }
        // The one under way is not to be written over.
        float[] gradient = spare;
        spare = other;
        other = gradient;
        network.drainGradient(gradient, 1f / pendingBatches);
        long count = pendingSamples();
        Optional<Cursor> before = flight.isPresent() ? flight.get().behind() : reached;
        Flight held = new Flight(
                loaded.orElseThrow(),
                gradient,
                count,
                pendingLoss / pendingBatches,
                before.map(place -> place.plus(count)));
        pendingBatches = 0;
        pendingLoss = 0;
        return Optional.of(held);
    }

    /** Waits for the gradient under way, and goes on from the parameters that came back. */
    private Pushed.Fate land() throws IOException, TrainingFailedException {
        Flight landing = flight.orElseThrow();
        flight = Optional.empty();
        Pushed pushed = line.land();
        load(pushed.parameters());
        boolean isCounted = pushed.fate() == Pushed.Fate.COUNTED;
        counted += isCounted ? landing.samples() : 0;
        reached = isCounted ? landing.behind() : reached;
        return pushed.fate();
    }

    @Override
    public void close() {
        line.close();
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
