package org.fleetgrad.worker.training;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.fleetgrad.client.GradientChannels;
import org.fleetgrad.client.InitialSet;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.optim.WorkerMomentum;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemRules;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.EncodingException;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.NextShardReply;
import org.fleetgrad.protocol.messages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.RegisterWorkerRequest;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.work.Cursor;

/**
 * One worker's dealings with the parameter server: it keeps the newest parameters, and brings each gradient to the server
 * once.
 *
 * <p>A push keeps its sequence number through retries and through a new registration, so that it counts once however
 * often it is sent. A server that lost its history is given the parameters that this worker pulled last: the fleet goes
 * on from there rather than from the beginning. Not safe from several threads.
 */
final class ParameterExchange {

    /** Short: a worker whose time runs out hears of it between two. */
    private static final Duration LONG_POLL = Duration.ofMillis(500);

    private final ParameterServers anonymous;
    private final WorkerIdentity identity;
    private final TensorLayout layout;
    private final InitialSet initial;
    private final Transfer transfer;
    private final GradientChannels channel;
    private ParameterServers client;
    private String worker = "";
    private long sequence;
    private Optional<Pulled> newest = Optional.empty();
    private Optional<WorkerMomentum> momentum = Optional.empty();
    private long pushes;
    private long stale;
    private long duplicates;
    private long bytes;

    /**
     * Who the worker says it is.
     *
     * @param wanted      the id it wants, where it wants one
     * @param description what it is, for people
     * @param device      what it computes on
     * @param deadline    when it will be gone, epoch milliseconds
     */
    record WorkerIdentity(Optional<String> wanted, String description, String device, OptionalLong deadline) {}

    /**
     * What became of a push.
     *
     * @param parameters the parameters to go on with
     */
    record Pushed(Pulled parameters, Fate fate) {

        /** Whether it counts. */
        enum Fate {
            /** The server has it. */
            COUNTED,
            /** It came too late, and is gone. */
            DROPPED,
            /** It is gone, and is not of the work that the server has this worker at. */
            ELSEWHERE
        }
    }

    /**
     * @param initial the parameters to begin with where the server has none; asked when it is seen to have none
     * @param transfer how gradients and parameters travel
     * @param kept     has what the last activation's encoding left out
     * @throws IllegalArgumentException when the encoding cannot carry these tensors
     */
    ParameterExchange(
            ParameterServers client,
            WorkerIdentity identity,
            TensorLayout layout,
            InitialSet initial,
            Transfer transfer,
            KeptChannel kept) {
        this.anonymous = client.pullingAs(transfer.parameters());
        this.client = anonymous;
        this.transfer = transfer;
        this.channel = kept.of(layout, transfer.gradients(), client.all().size());
        this.identity = identity;
        this.layout = layout;
        this.initial = initial;
    }

    /** Registers, and pulls the parameters, or puts the initial ones where the server has none. */
    Pulled join() throws IOException, TrainingFailedException {
        register();
        return pull();
    }

    /** Registers; the parameters can be pulled later. */
    void register() throws IOException, TrainingFailedException {
        register(identity.wanted());
        requireOverlapMakesSense();
    }

    /** Asks which shard comes next. */
    NextShardReply nextShard() throws IOException, TrainingFailedException {
        while (true) {
            try {
                return client.lead().nextShard(worker);
            } catch (ProblemException refused) {
                if (!refused.problem().rule().equals(ProblemRules.UNKNOWN_WORKER)) {
                    throw refused;
                }
                register(Optional.of(worker));
            }
        }
    }

    /** Ends the registration, where there is one and the server hears of it: a lease runs out by itself. */
    void leave() {
        if (worker.isEmpty()) {
            return;
        }
        try {
            client.unregister(worker);
        } catch (IOException unheard) {
            // What was pushed counts; that nobody said good-bye is no reason to fail, or to train all of it again.
        }
    }

    /**
     * Brings a gradient, and returns the parameters to go on with.
     *
     * @param base     the parameters that it was computed on
     * @param gradient mean over {@code samples}, in the order of the layout; changed where the worker keeps momentum
     * @param reached  where in the server's work the worker is behind these samples
     * @param stop     asked while the worker waits for others: whether to go on without a newer version
     */
    Pushed push(
            Pulled base, float[] gradient, long samples, double loss, Optional<Cursor> reached, BooleanSupplier stop)
            throws IOException, TrainingFailedException {
        sequence++;
        // Once for a gradient, however often it is sent.
        momentum.ifPresent(own -> own.apply(gradient));
        prepare(base, gradient);
        while (true) {
            GradientMetadata metadata = new GradientMetadata(
                    worker,
                    sequence,
                    base.version().generation(),
                    base.version().version(),
                    samples,
                    loss,
                    reached);
            PushResult result = client.push(metadata, base, channel, true);
            bytes += channel.tensorBytes();
            if (result instanceof PushResult.UnknownWorker) {
                // The lease ran out, or the server began anew: the same gradient, under the same number, once more.
                register(Optional.of(worker));
                continue;
            }
            return conclude(result, newest(), stop);
        }
    }

    private void prepare(Pulled base, float[] gradient) throws TrainingFailedException {
        try {
            channel.prepare(base.parts(), gradient);
        } catch (EncodingException notFinite) {
            throw new TrainingFailedException(
                    "gradient %d cannot be pushed: %s; training has diverged, try a smaller learning rate"
                            .formatted(sequence, notFinite.getMessage()),
                    notFinite);
        }
    }

    private static Pushed counted(Pulled parameters) {
        return new Pushed(parameters, Pushed.Fate.COUNTED);
    }

    /**
     * @param base the newest parameters that the worker knows of
     */
    private Pushed conclude(PushResult result, Pulled base, BooleanSupplier stop)
            throws IOException, TrainingFailedException {
        if (result instanceof PushResult.Applied applied) {
            pushes++;
            return counted(applied.pulled().isPresent() ? keep(applied.pulled().get()) : pullOtherThan(base, stop));
        }
        if (result instanceof PushResult.Buffered buffered) {
            pushes++;
            return counted(buffered.awaitNext() ? pullOtherThan(base, stop) : base);
        }
        if (result instanceof PushResult.Duplicate duplicate) {
            pushes++;
            duplicates++;
            if (duplicate.pulled().isPresent()) {
                return counted(keep(duplicate.pulled().get()));
            }
            return counted(duplicate.awaitNext() ? pullOtherThan(base, stop) : base);
        }
        if (result instanceof PushResult.Rejected rejected) {
            throw new TrainingFailedException(
                    "the server refused gradient %d: %s"
                            .formatted(sequence, rejected.problem().detail()),
                    null);
        }
        // Stale, or the server has no parameters: this gradient is lost, and said to be.
        stale++;
        String rule =
                result instanceof PushResult.Stale dropped ? dropped.problem().rule() : "";
        return switch (rule) {
            case ProblemRules.TOO_FAR_AHEAD -> new Pushed(pullOtherThan(base, stop), Pushed.Fate.DROPPED);
            case ProblemRules.OTHER_CURSOR -> new Pushed(pull(), Pushed.Fate.ELSEWHERE);
            default -> new Pushed(pull(), Pushed.Fate.DROPPED);
        };
    }

    /** Returns the parameters that came last; there are some once it has pulled. */
    Pulled newest() {
        return newest.orElseThrow();
    }

    /** Pulls the newest parameters, or puts some where the server has none. */
    Pulled pull() throws IOException, TrainingFailedException {
        while (true) {
            PullResult result = client.pull();
            if (result instanceof PullResult.Pulled pulled) {
                return keep(checked(pulled));
            }
            if (!(result instanceof PullResult.NotInitialized)) {
                throw new IOException("the server answered 304 to a pull without a condition");
            }
            client.putInitial(new NewestOrInitial());
        }
    }

    /** What was pulled last goes before what the run began with. */
    private final class NewestOrInitial implements InitialSet {
        @Override
        public TensorSet own() {
            return newest.map(Pulled::parameters).orElseGet(initial::own);
        }

        @Override
        public Optional<TensorSet> like(Map<String, String> metadata) {
            return initial.like(metadata);
        }
    }

    private Pulled pullOtherThan(Pulled base, BooleanSupplier stop) throws IOException, TrainingFailedException {
        while (!stop.getAsBoolean()) {
            PullResult result = client.pullOtherThan(base.version(), LONG_POLL);
            if (result instanceof PullResult.Pulled pulled) {
                return keep(checked(pulled));
            }
            if (result instanceof PullResult.NotInitialized) {
                return pull();
            }
        }
        return base;
    }

    private Pulled keep(Pulled pulled) {
        bytes += pulled.bytes();
        newest = Optional.of(pulled);
        return pulled;
    }

    private Pulled checked(Pulled pulled) throws TrainingFailedException {
        Optional<TensorLayout.LayoutDifference> difference =
                layout.firstDifference(pulled.parameters().layout());
        String partition = pulled.parameters().metadata().get(PartitionLabel.PARTITION);
        if (partition != null) {
            throw new TrainingFailedException(
                    "the server has partition %s of the parameters alone: write the addresses of all servers of the run into apihost, with commas between them"
                            .formatted(partition),
                    null);
        }
        if (difference.isPresent()) {
            throw new TrainingFailedException(
                    "the server trains another network: "
                            + difference.get().message().replace("the parameter set", "this network"),
                    null);
        }
        return pulled;
    }

    private void register(Optional<String> id) throws IOException, TrainingFailedException {
        try {
            RegisterWorkerReply reply = anonymous.register(new RegisterWorkerRequest(
                    id.orElse(null),
                    identity.description(),
                    identity.deadline().isPresent() ? (Long) identity.deadline().getAsLong() : null,
                    identity.device()));
            worker = reply.id();
            // A fresh worker counts on from what the server remembers of its id; a number being retried stays.
            sequence = Math.max(sequence, reply.sequence());
            client = anonymous.as(worker);
            keepMomentum((float) reply.workerMomentum());
            channel.follow(reply.generation());
            requireEncodings(reply);
        } catch (ProblemException taken) {
            boolean isOurs = taken.problem().rule().equals(ProblemRules.WORKER_EXISTS)
                    && id.filter(worker::equals).isPresent();
            // The id was ours before: an earlier try was heard, and only its answer was lost.
            if (!isOurs) {
                throw taken;
            }
        }
    }

    /** Falling back would train, but not what was asked for: the server's list is for whoever asked. */
    private void requireEncodings(RegisterWorkerReply reply) throws TrainingFailedException {
        requireListed("encoding", transfer.gradients(), "takes gradients", reply.encodingsOfGradients());
        requireListed("pull_encoding", transfer.parameters(), "gives parameters", reply.encodingsOfParameters());
    }

    private void requireListed(String parameter, Encoding encoding, String does, List<String> listed)
            throws TrainingFailedException {
        if (!listed.contains(encoding.name())) {
            throw new TrainingFailedException(
                    "the server %s as %s; %s is '%s': write one of these"
                            .formatted(does, String.join(", ", listed), parameter, encoding.text()),
                    null);
        }
    }

    /**
     * With overlap every gradient but the first is computed on a version that the worker's own last one has overtaken.
     *
     * @throws TrainingFailedException when the server's mode takes none that is older than the newest version
     */
    private void requireOverlapMakesSense() throws IOException, TrainingFailedException {
        String mode = transfer.isOverlapping() ? client.lead().status().mode() : "";
        if (mode.equals("sync") || mode.equals("backup")) {
            throw new TrainingFailedException(
                    "the server trains in mode %s, which takes gradients on the newest version only, and with overlap none is: leave overlap out, or train async or ssp"
                            .formatted(mode),
                    null);
        }
    }

    /** Keeps the momentum that the server leaves to its workers; a new registration does not begin it anew. */
    private void keepMomentum(float wanted) {
        if (wanted > 0 && momentum.isEmpty()) {
            momentum = Optional.of(new WorkerMomentum(wanted, (int) layout.elementCount()));
        }
    }

    /** Returns what the exchange has come to so far. */
    Tally tally() {
        return new Tally(
                worker,
                pushes,
                stale,
                duplicates,
                client.lostParts(),
                bytes,
                newest.map(Pulled::version).map(ParameterVersion::version).orElse(0L));
    }

    /**
     * Counts of the exchange.
     *
     * @param lostParts parts of gradients that counted on the lead of several servers, and not on theirs
     */
    record Tally(String worker, long pushes, long stale, long duplicates, long lostParts, long bytes, long version) {}
}
