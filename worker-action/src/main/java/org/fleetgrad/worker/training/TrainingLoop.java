package org.fleetgrad.worker.training;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.datasets.sampling.BatchSampler.Epoch;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.optim.LocalSteps;
import org.fleetgrad.optim.Optimizer;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.worker.training.ParameterExchange.Pushed;
import org.fleetgrad.worker.training.ParameterExchange.Pushed.Outcome;
import org.fleetgrad.worker.training.TimeBudget.Operation;

/**
 * Trains on shards: batches in a seeded order, gradients accumulated over {@code updateInterval} batches, their mean pushed,
 * the new parameters taken from the same response. With local steps the distance that they went is pushed, in place of a gradient.
 *
 * <p>With overlap, a gradient is in flight while the next one is computed on the parameters from before its response. So each
 * gradient but the first lacks its own worker's last step, and the steps of others until that response. At most one gradient is
 * in flight, and none when a pass is over.
 */
final class TrainingLoop implements AutoCloseable {

    private final Network network;
    private final ParameterExchange exchange;
    private final GradientAccumulator accumulator;
    private final GradientSource source;
    private final LeaseRenewal lease;
    private final Learning learning;
    private final BooleanSupplier stop;
    private final TimeBudget budget;
    private final Optional<CallsBeside> overlap;
    private Optional<Pulled> loaded = Optional.empty();
    private Optional<Push> inFlight = Optional.empty();
    private long counted;
    private Optional<Cursor> reached = Optional.empty();
    private SpentTime spent = SpentTime.NONE;

    /**
     * A gradient that is to be pushed.
     *
     * @param base  the parameters that it was computed on
     * @param after the worker's place in the server's work after its samples
     */
    private record Computed(Pulled base, GradientAccumulator.Mean gradient, Optional<Cursor> after) {}

    /** The push of a gradient, in flight or answered. */
    private record Push(Computed computed, Future<Pushed> answer) {}

    /** Local steps with the optimizer that makes them. */
    record Inner(LocalSteps settings, Optimizer optimizer) {}

    /** How a pass over a shard ended. */
    enum End {
        /** Every sample of it was trained on. */
        COMPLETED,
        /** It was stopped before the end. */
        STOPPED,
        /** The server has another position for this worker: request the next shard. */
        OTHER_CURSOR
    }

    /**
     * @param local the steps that the worker makes by itself between two pushes, and their optimizer, if it makes any
     * @param lease renewed between two batches if no push does
     * @param stop polled between batches: whether to push the gradient so far and end
     * @param budget records how long batches and pushes take
     * @param overlap runs pushes while batches are computed; empty if a push is awaited at once
     */
    TrainingLoop(
            Network network,
            ParameterExchange exchange,
            Learning learning,
            Optional<Inner> local,
            LeaseRenewal lease,
            BooleanSupplier stop,
            TimeBudget budget,
            Optional<CallsBeside> overlap) {
        this.network = network;
        this.exchange = exchange;
        this.learning = learning;
        this.lease = lease;
        this.stop = stop;
        this.budget = budget;
        this.overlap = overlap;
        this.accumulator = new GradientAccumulator(network, learning, overlap.isPresent());
        this.source = local.<GradientSource>map(
                        inner -> new LocalTraining(network, accumulator, inner.settings(), inner.optimizer()))
                .orElse(accumulator);
    }

    /** Continues from these parameters. */
    void load(Pulled pulled) {
        network.load(pulled.parameters());
        source.begin(pulled.parameters());
        lease.renewed();
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
        while (at < size || !source.isEmpty() || inFlight.isPresent()) {
            boolean isStopped = at < size && stop.getAsBoolean();
            int count = batchOf(size - at);
            if (!isStopped && at < size && source.takes(count)) {
                long begin = budget.nanos();
                source.add(shard, order.samples(at, count), epoch, learning.dropoutSeed(epoch, first + at));
                spent = spent.computed(budget.end(Operation.STEP, begin));
                at += count;
                if (!source.isFull()) {
                    // A push in flight renews it, and uses the registration in another thread.
                    if (inFlight.isEmpty()) {
                        lease.renewIfLate();
                    }
                    continue;
                }
            }
            long begin = budget.nanos();
            Outcome outcome = flush(isStopped || at == size);
            spent = spent.exchanged(budget.nanos() - begin);
            if (from.isPresent() && outcome == Outcome.OTHER_CURSOR) {
                return End.OTHER_CURSOR;
            }
            if (from.isPresent() && outcome == Outcome.DROPPED) {
                at = (int) reached.orElseThrow().sample();
            }
            if (isStopped) {
                return End.STOPPED;
            }
        }
        return End.COMPLETED;
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
    private Outcome flush(boolean isLast) throws IOException, TrainingFailedException {
        Optional<Computed> next = drain();
        Outcome outcome = Outcome.COUNTED;
        if (inFlight.isPresent()) {
            outcome = awaitPush();
            if (reached.isPresent() && outcome != Outcome.COUNTED) {
                return outcome;
            }
        }
        if (next.isPresent()) {
            startPush(next.get());
            if (isLast || overlap.isEmpty()) {
                outcome = awaitPush();
            }
        }
        return outcome;
    }

    /** Pushes beside this thread, or at once in it. */
    private void startPush(Computed computed) {
        Callable<Pushed> call = () -> push(computed);
        inFlight = Optional.of(
                new Push(computed, overlap.map(beside -> beside.start(call)).orElseGet(() -> inThisThread(call))));
    }

    private static Future<Pushed> inThisThread(Callable<Pushed> call) {
        FutureTask<Pushed> push = new FutureTask<>(call);
        push.run();
        return push;
    }

    /** Timed here, in the thread that pushes: {@link #awaitPush} waits only for the remaining part of that time. */
    private Pushed push(Computed computed) throws IOException, TrainingFailedException {
        long begin = budget.nanos();
        Pushed pushed = exchange.push(computed.base(), computed.gradient(), computed.after(), stop);
        long unused = budget.end(Operation.PUSH, begin);
        return pushed;
    }

    /** Waits for the answer of the push in flight, and continues from its parameters; or fails as the push failed. */
    private Outcome awaitPush() throws IOException, TrainingFailedException {
        Push push = inFlight.orElseThrow();
        Pushed pushed = answer(push);
        inFlight = Optional.empty();
        load(pushed.parameters());
        boolean isCounted = pushed.outcome() == Outcome.COUNTED;
        counted += isCounted ? push.computed().gradient().samples() : 0;
        reached = isCounted ? push.computed().after() : reached;
        return pushed.outcome();
    }

    private Pushed answer(Push push) throws IOException, TrainingFailedException {
        try {
            return push.answer().get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw (IOException)
                    new InterruptedIOException("interrupted while a gradient was in flight").initCause(interrupted);
        } catch (ExecutionException failed) {
            // It is over, so close() must not throw the same object a second time: it cannot be its own suppressed
            // exception.
            inFlight = Optional.empty();
            if (failed.getCause() instanceof IOException unreachable) {
                throw unreachable;
            }
            if (failed.getCause() instanceof TrainingFailedException lasting) {
                throw lasting;
            }
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failed.getCause();
        }
    }

    /** Takes the accumulated gradient out of the network, before other parameters are loaded. */
    private Optional<Computed> drain() {
        if (source.isEmpty()) {
            return Optional.empty();
        }
        GradientAccumulator.Mean gradient = source.drain();
        Optional<Cursor> before =
                inFlight.isPresent() ? inFlight.get().computed().after() : reached;
        return Optional.of(
                new Computed(loaded.orElseThrow(), gradient, before.map(cursor -> cursor.plus(gradient.samples()))));
    }

    /** Waits for the push in flight, so that the exchange is free again; discards its result. */
    @Override
    public void close() {
        try {
            if (inFlight.isPresent()) {
                Pushed unused = answer(inFlight.get());
            }
        } catch (IOException | TrainingFailedException | RuntimeException second) {
            // The exception that ended the training is already being thrown.
        } finally {
            lease.close();
        }
    }

    /** Returns the place in the server's work that the last pass has reached. */
    Optional<Cursor> reached() {
        return reached;
    }

    /** Returns how many samples were in gradients that the server accepted. */
    long counted() {
        return counted;
    }

    /** Returns how long the batches and the exchange took. */
    SpentTime spent() {
        return spent;
    }

    /** Returns the batches that were computed, pushed or not. */
    GradientAccumulator computed() {
        return accumulator;
    }
}
