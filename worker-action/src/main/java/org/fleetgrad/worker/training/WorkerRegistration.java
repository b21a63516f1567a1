package org.fleetgrad.worker.training;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.fleetgrad.client.GradientSender;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.optim.LocalSteps;
import org.fleetgrad.optim.OptimizerSpec;
import org.fleetgrad.optim.WorkerMomentum;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.messages.WorkMessages.NextShardReply;
import org.fleetgrad.protocol.messages.WorkerMessages.LocalStepsTerms;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.ObservedState;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.worker.training.TrainingTask.Identity;
import org.fleetgrad.worker.training.TrainingTask.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * A worker's registration: its id, the sequence number of its gradients, and the server's terms. It outlives a lease: a worker
 * whose lease expired registers again under the same id, and its sequence numbers continue. Not thread-safe.
 */
final class WorkerRegistration {

    private final ParameterServers anonymous;
    private final Identity identity;
    private final Transfer transfer;
    private ParameterServers servers;
    private String worker = "";
    private Optional<Duration> earlier = Optional.empty();
    private long sequence;
    private Optional<RegisterWorkerReply> terms = Optional.empty();
    private Optional<GradientSender> channel = Optional.empty();
    private Optional<Momentum> momentum = Optional.empty();

    /** The momentum that the server leaves to its workers, and the state tensors that it skips. */
    private record Momentum(WorkerMomentum own, ObservedState state) {

        void apply(float[] gradient) {
            float[] observed = state.take(gradient);
            own.apply(gradient);
            state.putBack(observed, gradient);
        }
    }

    /**
     * @param servers without a worker's id
     */
    WorkerRegistration(ParameterServers servers, Identity identity, Transfer transfer) {
        this.anonymous = servers.pullingAs(transfer.parameters());
        this.identity = identity;
        this.transfer = transfer;
        this.servers = anonymous;
    }

    /**
     * Registers for the first time.
     *
     * @throws TrainingFailedException when the server's terms do not fit: an encoding that it does not know, or overlap in
     *     a synchronous run
     */
    void begin() throws IOException, TrainingFailedException {
        register(identity.wanted());
        earlier = terms.map(RegisterWorkerReply::earlierMs).map(Duration::ofMillis);
    }

    /** Returns the time since an earlier try of this activation registered, if this one replaced it. */
    Optional<Duration> earlier() {
        return earlier;
    }

    /** Returns the network that the server's parameter set names, if there is one. */
    Optional<String> network() {
        return terms.map(RegisterWorkerReply::network);
    }

    /**
     * Returns which tensors of a network the server's run freezes.
     *
     * @throws TrainingFailedException if the network does not have them
     */
    FrozenTensors frozen(NetworkSpec network) throws TrainingFailedException {
        try {
            return terms.orElseThrow().frozen().in(network.layout(), network.state());
        } catch (IllegalArgumentException unfit) {
            throw new TrainingFailedException(
                    "the run's frozen tensors do not fit the network %s: %s"
                            .formatted(network.name(), unfit.getMessage()),
                    unfit);
        }
    }

    /**
     * Returns the steps that the worker makes by itself between two pushes; empty if it pushes gradients.
     *
     * @throws TrainingFailedException if this worker does not know the optimizer that the server names
     */
    Optional<LocalSteps> localSteps() throws TrainingFailedException {
        Optional<LocalStepsTerms> wanted = terms.map(RegisterWorkerReply::localSteps);
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        LocalStepsTerms local = wanted.get();
        try {
            return Optional.of(
                    new LocalSteps(local.steps(), OptimizerSpec.parse(local.optimizer()), local.learningRate()));
        } catch (IllegalArgumentException unknown) {
            throw new TrainingFailedException(
                    "the server wants %d local steps with '%s': %s"
                            .formatted(local.steps(), local.optimizer(), unknown.getMessage()),
                    unknown);
        }
    }

    /** Returns the time after the worker's last call at which its lease expires. */
    Duration leaseLength() {
        return Duration.ofMillis(terms.orElseThrow().leaseMs());
    }

    /**
     * Sets the layout and the channel of this worker's gradients; called once, before the first gradient.
     *
     * @param gradients follows the server's generations
     * @param layout    of a gradient
     * @param state     those of its tensors that are observed
     */
    void carry(GradientSender gradients, TensorLayout layout, ParameterState state) {
        RegisterWorkerReply reply = terms.orElseThrow();
        channel = Optional.of(gradients);
        gradients.follow(reply.generation());
        if (reply.workerMomentum() > 0) {
            momentum = Optional.of(new Momentum(
                    new WorkerMomentum((float) reply.workerMomentum(), (int) layout.elementCount()),
                    ObservedState.of(layout, state)));
        }
    }

    /** Requests the next shard. */
    NextShardReply nextShard() throws IOException, TrainingFailedException {
        while (true) {
            try {
                return servers.lead().nextShard(worker);
            } catch (ProblemException refused) {
                if (!refused.problem().is(ProblemKind.UNKNOWN_WORKER)) {
                    throw refused;
                }
                renew();
            }
        }
    }

    /** Registers again under the same id, after the lease expired or the server lost its state. */
    void renew() throws IOException, TrainingFailedException {
        register(Optional.of(worker));
    }

    /**
     * Ends the registration, if there is one. If the request does not reach the server, the lease expires by itself.
     */
    void end() {
        if (worker.isEmpty()) {
            return;
        }
        try {
            servers.unregister(worker);
        } catch (IOException unheard) {
            // Every push still counts; a lost unregister request is no reason to fail, or to train all of it again.
        }
    }

    /** Returns the id of the worker; empty before {@link #begin}. */
    String worker() {
        return worker;
    }

    /** Returns the servers as this worker calls them: each call renews its lease. */
    ParameterServers servers() {
        return servers;
    }

    /** Returns the number of the newest gradient. */
    long sequence() {
        return sequence;
    }

    /**
     * Assigns a gradient the next number, and applies the momentum that the server leaves to its workers: once for each
     * gradient, however often it is sent.
     */
    void beginGradient(float[] gradient) {
        sequence++;
        momentum.ifPresent(own -> own.apply(gradient));
    }

    private void register(Optional<String> id) throws IOException, TrainingFailedException {
        RegisterWorkerReply reply;
        try {
            reply = anonymous.register(new RegisterWorkerRequest(
                    id.orElse(null),
                    identity.description(),
                    identity.deadline().isPresent() ? (Long) identity.deadline().getAsLong() : null,
                    identity.device(),
                    identity.address().map(URI::toString).orElse(null),
                    identity.activation().orElse(null),
                    null,
                    null));
        } catch (ProblemException taken) {
            boolean isOurs = taken.problem().is(ProblemKind.WORKER_EXISTS)
                    && id.filter(worker::equals).isPresent();
            // The id was ours before: an earlier try arrived, and only its response was lost.
            if (!isOurs) {
                throw taken;
            }
            return;
        }
        requireSameFrozen(reply);
        requireSameLocalSteps(reply);
        worker = reply.id();
        // A new worker continues from the number that the server stores for its id; a number being retried stays.
        sequence = Math.max(sequence, reply.sequence());
        servers = anonymous.as(worker);
        terms = Optional.of(reply);
        // A new registration does not reset the momentum.
        channel.ifPresent(gradients -> gradients.follow(reply.generation()));
        requireEncodings(reply);
        requireOverlapMakesSense(reply);
    }

    /** Gradients that were computed for other frozen tensors have another layout. */
    private void requireSameFrozen(RegisterWorkerReply reply) throws TrainingFailedException {
        Optional<FreezePatterns> before = terms.map(RegisterWorkerReply::frozen);
        if (before.isPresent() && !before.get().equals(reply.frozen())) {
            throw new TrainingFailedException(
                    "the server freezes '%s' now, and this worker began when it froze '%s': start the worker again"
                            .formatted(reply.frozen(), before.get()));
        }
    }

    /** What was computed meanwhile is not what the server's optimizer steps with now. */
    private void requireSameLocalSteps(RegisterWorkerReply reply) throws TrainingFailedException {
        if (terms.isPresent() && !Objects.equals(terms.get().localSteps(), reply.localSteps())) {
            throw new TrainingFailedException(
                    "the server's local steps are %s now, and were %s when this worker began: start the worker again"
                            .formatted(
                                    described(reply.localSteps()),
                                    described(terms.get().localSteps())));
        }
    }

    private static String described(@Nullable LocalStepsTerms local) {
        return local == null
                ? "none"
                : "%d with %s and the learning rate %s"
                        .formatted(local.steps(), local.optimizer(), local.learningRate());
    }

    /** Another encoding would train, but not as the caller requested; so the caller chooses from the server's list. */
    private void requireEncodings(RegisterWorkerReply reply) throws TrainingFailedException {
        requireListed("encoding", transfer.gradients(), "takes gradients", reply.encodingsOfGradients());
        requireListed("pull_encoding", transfer.parameters(), "gives parameters", reply.encodingsOfParameters());
    }

    private static void requireListed(String parameter, Encoding encoding, String does, List<String> listed)
            throws TrainingFailedException {
        if (!listed.contains(encoding.name())) {
            throw new TrainingFailedException("the server %s as %s; %s is '%s': write one of these"
                    .formatted(does, String.join(", ", listed), parameter, encoding.text()));
        }
    }

    /** With overlap, every gradient but the first is computed on a version older than the worker's own last step. */
    private void requireOverlapMakesSense(RegisterWorkerReply reply) throws TrainingFailedException {
        if (transfer.isOverlapping() && reply.synchronous()) {
            throw new TrainingFailedException(
                    "the run is synchronous: it takes gradients on the newest version only, and with overlap none is; leave overlap out, or train async or ssp");
        }
        if (transfer.isOverlapping() && reply.localSteps() != null) {
            throw new TrainingFailedException(
                    "the run makes %d local steps between two pushes, so there is little to overlap; leave overlap out, or make one step"
                            .formatted(reply.localSteps().steps()));
        }
    }
}
