package org.fleetgrad.worker.training;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.fleetgrad.client.GradientSender;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.ParameterServers.InitialSet;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.encoding.EncodingException;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TrainableValues;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.worker.training.ParameterExchange.Pushed.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A worker's exchange with the parameter server: it pulls the newest parameters and pushes each gradient.
 *
 * <p>A push keeps its sequence number through retries and through a new registration, so that it counts once however often it
 * is sent. If the server lost its history, the worker puts the parameters that it pulled last: the fleet continues from there,
 * not from the beginning. Not thread-safe.
 */
final class ParameterExchange {

    /** Short, because the worker checks its deadline between two polls. */
    private static final Duration LONG_POLL = Duration.ofMillis(500);

    private final NetworkSpec network;
    private final FrozenTensors frozen;
    private final TensorLayout trainable;
    private final ParameterState state;
    private final InitialSet initial;
    private final GradientSender channel;
    private final WorkerRegistration registration;
    private Optional<Pulled> newest = Optional.empty();
    /** The last set with all tensors. Its frozen ones are those of the newest set, unless a new generation began. */
    private Optional<Pulled> complete = Optional.empty();

    private boolean hasFrozen;
    // One client for all pulls of a registration: several servers' remembers how their parts fit together.
    private @Nullable ParameterServers omittedFrom;
    private ParameterServers omitting;

    /** Read while a push is in flight. */
    private volatile boolean isPaused;

    private long pushes;
    private long stale;
    private long duplicates;
    private long bytes;

    /**
     * @param registration of the worker, begun
     * @param frozen       tensors that are pulled once in a generation, and never pushed
     * @param initial      the parameters to begin with if the server has none; used only then
     * @param channel      has the residual of the last activation's encoding
     */
    ParameterExchange(
            WorkerRegistration registration,
            NetworkSpec network,
            FrozenTensors frozen,
            InitialSet initial,
            GradientSender channel) {
        this.registration = registration;
        this.omitting = registration.servers();
        this.network = network;
        this.frozen = frozen;
        this.trainable = frozen.trainable(network.layout());
        this.state = frozen.trainable(network.state());
        this.initial = initial;
        this.channel = channel;
        registration.carry(channel, trainable, state);
    }

    /**
     * Pushes a gradient, and returns the parameters to continue with.
     *
     * @param base     the parameters that it was computed on
     * @param gradient in the order of the trainable layout; changed if the worker keeps momentum
     * @param reached  the worker's place in the server's work after these samples
     * @param stop     polled while the worker waits for others: whether to continue without a newer version
     */
    Pushed push(Pulled base, GradientAccumulator.Mean gradient, Optional<Cursor> reached, BooleanSupplier stop)
            throws IOException, TrainingFailedException {
        registration.beginGradient(gradient.values());
        prepare(base, gradient.values());
        while (true) {
            GradientMetadata metadata = new GradientMetadata(
                    registration.worker(),
                    registration.sequence(),
                    base.version().generation(),
                    base.version().version(),
                    gradient.samples(),
                    gradient.loss(),
                    reached,
                    state.isEmpty() ? OptionalLong.empty() : OptionalLong.of(gradient.batches()),
                    gradient.weight(),
                    gradient.steps());
            PushResult result = servers().push(metadata, base, channel, true);
            bytes += channel.tensorBytes();
            if (result instanceof PushResult.UnknownWorker) {
                // The lease expired, or the server started anew: send the same gradient once more, under the same
                // number.
                registration.renew();
                continue;
            }
            isPaused = reached.isPresent() && result instanceof PushResult.Accepted accepted && accepted.isPaused();
            return conclude(result, newest(), stop);
        }
    }

    private void prepare(Pulled base, float[] gradient) throws TrainingFailedException {
        try {
            channel.prepare(base.parts(), gradient);
        } catch (EncodingException notFinite) {
            throw new TrainingFailedException(
                    "gradient %d cannot be pushed: %s; training has diverged, try a smaller learning rate"
                            .formatted(registration.sequence(), notFinite.getMessage()),
                    notFinite);
        }
    }

    private Pushed conclude(PushResult result, Pulled base, BooleanSupplier stop)
            throws IOException, TrainingFailedException {
        if (result instanceof PushResult.Accepted accepted) {
            pushes++;
            duplicates += accepted instanceof PushResult.Duplicate ? 1 : 0;
            Optional<Pulled> pulled = accepted.pulled();
            if (pulled.isPresent()) {
                return new Pushed(keep(pulled.get()), Outcome.COUNTED);
            }
            boolean isNewer = accepted.awaitNext() || accepted instanceof PushResult.Applied;
            return new Pushed(isNewer ? pullOtherThan(base, stop) : base, Outcome.COUNTED);
        }
        if (result instanceof PushResult.Rejected rejected) {
            throw new TrainingFailedException("the server refused gradient %d: %s"
                    .formatted(registration.sequence(), rejected.problem().detail()));
        }
        // Stale, or the server has no parameters: this gradient is lost, and is counted as lost.
        stale++;
        if (result instanceof PushResult.Stale refused && refused.problem().is(ProblemKind.TOO_FAR_AHEAD)) {
            // There may never be a newer version: if the slowest worker has left since, all others may have been
            // refused.
            return new Pushed(pullOtherThan(base).orElse(base), Outcome.DROPPED);
        }
        if (result instanceof PushResult.Stale refused && refused.problem().is(ProblemKind.OTHER_CURSOR)) {
            return new Pushed(pull(), Outcome.OTHER_CURSOR);
        }
        return new Pushed(pull(), Outcome.DROPPED);
    }

    /** Returns whether the server's work is paused, as the answer of the last push said: the worker ends. */
    boolean isPaused() {
        return isPaused;
    }

    /** Returns the parameters that were received last; there are some after the first pull. */
    Pulled newest() {
        return newest.orElseThrow();
    }

    /** Returns the servers, whose pulls leave out the frozen tensors once the worker has them. */
    private ParameterServers servers() {
        ParameterServers all = registration.servers();
        if (frozen.isEmpty() || !hasFrozen) {
            return all;
        }
        if (all != omittedFrom) {
            omittedFrom = all;
            omitting = all.omitting(frozen);
        }
        return omitting;
    }

    /** Pulls the newest parameters, or puts some if the server has none. */
    Pulled pull() throws IOException, TrainingFailedException {
        while (true) {
            PullResult result = servers().pull();
            if (result instanceof PullResult.Pulled pulled) {
                return keep(checked(pulled));
            }
            if (!(result instanceof PullResult.NotInitialized)) {
                throw new IOException("the server answered 304 to a pull without a condition");
            }
            registration.servers().putInitial(new NewestOrInitial());
        }
    }

    /** The parameters that were pulled last; before the first pull, the initial ones. */
    private final class NewestOrInitial implements InitialSet {
        @Override
        public TensorSet own() {
            return newest.map(this::withFrozen).orElseGet(initial::own);
        }

        private TensorSet withFrozen(Pulled pulled) {
            TensorSet all = complete.orElseThrow().parameters();
            if (pulled.parameters().layout().size() == all.layout().size()) {
                return pulled.parameters();
            }
            TrainableValues places = TrainableValues.of(network.layout(), frozen);
            float[] values = all.toFloats(network.layout());
            places.putInto(pulled.parameters().toFloats(trainable), values);
            return TensorSet.ofFloats(network.layout(), values, all.metadata());
        }

        @Override
        public Optional<TensorSet> like(Map<String, String> metadata) {
            return initial.like(metadata);
        }
    }

    private Pulled pullOtherThan(Pulled base, BooleanSupplier stop) throws IOException, TrainingFailedException {
        while (!stop.getAsBoolean()) {
            Optional<Pulled> other = pullOtherThan(base);
            if (other.isPresent()) {
                return other.get();
            }
        }
        return base;
    }

    /** Waits for another version; empty if none comes for a moment, or the worker may not begin with it yet. */
    private Optional<Pulled> pullOtherThan(Pulled base) throws IOException, TrainingFailedException {
        PullResult result = servers().pullOtherThan(base.version(), LONG_POLL);
        if (result instanceof PullResult.Pulled pulled) {
            return Optional.of(keep(checked(pulled)));
        }
        return result instanceof PullResult.NotInitialized ? Optional.of(pull()) : Optional.empty();
    }

    /**
     * Remembers what was pulled, and returns it. In another generation the frozen tensors may be others: then all of the set
     * is pulled instead.
     */
    private Pulled keep(Pulled pulled) throws IOException, TrainingFailedException {
        bytes += pulled.bytes();
        boolean isWhole =
                pulled.parameters().layout().size() == network.layout().size();
        if (!isWhole
                && !generations(pulled)
                        .equals(complete.map(ParameterExchange::generations).orElseThrow())) {
            hasFrozen = false;
            return pull();
        }
        complete = isWhole ? Optional.of(pulled) : complete;
        hasFrozen = true;
        newest = Optional.of(pulled);
        return pulled;
    }

    private static List<String> generations(Pulled pulled) {
        return pulled.parts().stream().map(ParameterVersion::generation).toList();
    }

    private Pulled checked(Pulled pulled) throws TrainingFailedException {
        String partition = pulled.parameters().metadata().get(PartitionLabel.PARTITION);
        if (partition != null) {
            throw new TrainingFailedException(
                    "the server has partition %s of the parameters alone: write the addresses of all servers of the run into apihost, with commas between them"
                            .formatted(partition));
        }
        boolean isTrainable = pulled.parameters().layout().size() == trainable.size();
        Optional<TensorLayout.LayoutDifference> difference = isTrainable && !frozen.isEmpty()
                ? trainable.firstDifference(pulled.parameters().layout())
                : network.firstDifference(pulled.parameters());
        if (difference.isPresent()) {
            throw new TrainingFailedException("the server trains another network than %s: %s"
                    .formatted(
                            network.name(), difference.get().message().replace("the parameter set", "this network")));
        }
        return pulled;
    }

    /** Returns the counts so far. */
    Tally tally() {
        return new Tally(
                pushes,
                stale,
                duplicates,
                registration.servers().lostParts(),
                bytes,
                newest.map(Pulled::version).map(ParameterVersion::version).orElse(0L));
    }

    /**
     * Counts of the exchange.
     *
     * @param lostParts parts of gradients that the lead of several servers counted, and their own server did not
     */
    record Tally(long pushes, long stale, long duplicates, long lostParts, long bytes, long version) {}

    /**
     * The outcome of a push.
     *
     * @param parameters the parameters to go on with
     * @param outcome       whether the gradient counts
     */
    record Pushed(Pulled parameters, Outcome outcome) {

        /** Whether the gradient counts. */
        enum Outcome {
            /** The server accepted it. */
            COUNTED,
            /** The server dropped it: it arrived too late. */
            DROPPED,
            /** The server dropped it: its samples do not continue the worker's position. */
            OTHER_CURSOR
        }
    }
}
