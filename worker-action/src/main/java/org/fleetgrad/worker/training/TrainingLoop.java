package org.fleetgrad.worker.training;

import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.datasets.sampling.Epoch;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.worker.training.TimeBudget.Operation;

/**
 * Trains on shards: batches in a seeded order, gradients accumulated over {@code updateInterval} batches, their mean pushed,
 * the new parameters taken from the same response.
 *
 * <p>With overlap, a gradient is in flight while the next one is computed on the parameters from before its response. So each
 * gradient but the first lacks its own worker's last step, and the steps of others until that response. At most one gradient is
 * in flight, and none when a pass is over.
 */
final class TrainingLoop implements AutoCloseable {

    private final Network network;
    private final ParameterExchange exchange;
    private final GradientAccumulator accumulator;
    private final Learning learning;
    private final BooleanSupplier stop;
    private final TimeBudget pace;
    private final PushLine line;
    private Optional<Pulled> loaded = Optional.empty();
    private Optional<Flight> flight = Optional.empty();
    private long counted;
    private Optional<Cursor> reached = Optional.empty();

    /**
     * A gradient in flight.
     *
     * @param base  the parameters that it was computed on
     * @param after the worker's place in the server's work after its samples
     */
    private record Flight(Pulled base, GradientAccumulator.Mean gradient, Optional<Cursor> after) {}

    /** How a pass over a shard ended. */
    enum End {
        /** Every sample of it was trained on. */
        WHOLE,
        /** It was stopped before the end. */
        STOPPED,
        /** The server has another position for this worker: request the next shard. */
        ELSEWHERE
    }

    /**
     * @param stop polled between batches: whether to push the gradient so far and end
     * @param pace records how long batches and pushes take
     * @param isOverlapping whether batches are computed while a gradient is in flight
     */
    TrainingLoop(
            Network network,
            ParameterExchange exchange,
            Learning learning,
            BooleanSupplier stop,
            TimeBudget pace,
            boolean isOverlapping) {
        this.network = network;
        this.exchange = exchange;
        this.learning = learning;
        this.stop = stop;
        this.pace = pace;
        this.line = new PushLine(isOverlapping);
        this.accumulator = new GradientAccumulator(network, learning, isOverlapping);
    }

    /** Continues from these parameters. */
    void load(Pulled pulled) {
        network.load(pulled.parameters());
        loaded = Optional.of(pulled);
    }

    /**
     * Trains on a shard, once. When it returns, every gradient is answered.
     *
     * @param epoch number of the epoch
     * @param order the samples' order in this epoch
     * @param from  the position in the server's work to begin at: a gradient that the server drops is computed again, so that
     *     each sample counts once. Empty if the shard is the worker's own: then dropped gradients are not computed again
     */
    End pass(Shard shard, long epoch, Epoch order, Optional<Cursor> from) throws IOException, TrainingFailedException {
        int size = shard.samples().count();
        long first = shard.description().range().first();
        reached = from;
        int at = (int) from.map(Cursor::sample).orElse(0L).longValue();
        while (at < size || accumulator.batches() > 0 || flight.isPresent()) {
            boolean isStopped = at < size && stop.getAsBoolean();
            int count = batchOf(size - at);
            if (!isStopped && at < size && accumulator.takes(count)) {
                long begin = pace.begin();
                accumulator.add(shard, order.samples(at, count), epoch, learning.dropoutSeed(epoch, first + at));
                pace.end(Operation.STEP, begin);
                at += count;
                if (accumulator.batches() < learning.updateInterval()) {
                    continue;
                }
            }
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

    /**
     * Returns the size of the next batch. A network with state never gets a last batch of one sample: its BatchNorm may have a
     * single value to normalize, which has no variance. So the batch before it has one sample less.
     */
    private int batchOf(int left) {
        int full = Math.min(learning.batchSize(), left);
        boolean leavesOne = left - full == 1 && full > 2;
        return leavesOne && !network.spec().state().isEmpty() ? full - 1 : full;
    }

    /**
     * Pushes the accumulated gradient after the one in flight, and returns the fate of the last one that was answered. If the
     * one in flight was dropped and its samples are computed again, the accumulated gradient is dropped, too: its samples
     * follow those.
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

    /** Timed here, in the thread that pushes: {@link #land} waits only for the remaining part of that time. */
    private Pushed pushed(Flight next) throws IOException, TrainingFailedException {
        long begin = pace.begin();
        Pushed pushed = exchange.push(
                next.base(),
                next.gradient().values(),
                next.gradient().samples(),
                next.gradient().batches(),
                next.gradient().loss(),
                next.after(),
                stop);
        pace.end(Operation.PUSH, begin);
        return pushed;
    }

    /** Takes the accumulated gradient out of the network, before other parameters are loaded. */
    private Optional<Flight> drain() {
        if (accumulator.batches() == 0) {
            return Optional.empty();
        }
        GradientAccumulator.Mean gradient = accumulator.drain();
        Optional<Cursor> before = flight.isPresent() ? flight.get().after() : reached;
        return Optional.of(
                new Flight(loaded.orElseThrow(), gradient, before.map(place -> place.plus(gradient.samples()))));
    }

    /** Waits for the gradient in flight, and continues from the parameters of the response. */
    private Pushed.Fate land() throws IOException, TrainingFailedException {
        Flight landing = flight.orElseThrow();
        flight = Optional.empty();
        Pushed pushed = line.land();
        load(pushed.parameters());
        boolean isCounted = pushed.fate() == Pushed.Fate.COUNTED;
        counted += isCounted ? landing.gradient().samples() : 0;
        reached = isCounted ? landing.after() : reached;
        return pushed.fate();
    }

    @Override
    public void close() {
        line.close();
    }

    /** Returns the place in the server's work that the last pass has reached. */
    Optional<Cursor> reached() {
        return reached;
    }

    /** Returns how many samples were in gradients that the server accepted. */
    long counted() {
        return counted;
    }

    /** Returns the batches that were computed, pushed or not. */
    GradientAccumulator computed() {
        return accumulator;
    }
}
