package org.fleetgrad.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.messages.WorkerMessages.UnregisterWorkerReply;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * The servers of a run: one with all of the parameters, or several with a partition each. The first of several is the
 * lead: it holds the work, the statistics and the accuracy, and its version is the run's.
 *
 * <p>Thread-safe.
 */
public sealed interface ParameterServers permits PsClient, PartitionedServers {

    /** Returns a client of these servers, in the order of their partitions. */
    static ParameterServers of(List<PsClient> servers) {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("a run has one parameter server or more; none is given");
        }
        return servers.size() == 1 ? servers.get(0) : new PartitionedServers(servers);
    }

    /** Prepares a client of the servers at these addresses; nothing is sent yet. */
    static ParameterServers of(ServerAddresses addresses, ClientOptions options) {
        return of(addresses.uris().stream()
                .map(address -> new PsClient(address, options))
                .toList());
    }

    /** Returns the client of the lead. */
    PsClient lead();

    /** Returns the clients of all, the lead first. */
    List<PsClient> all();

    /**
     * Closes the connections that no call uses, also those of the clients that were made from this one. Over plain HTTP, a call
     * that is under way closes its own when it ends. A later call opens another. Who makes many clients calls it when it is done
     * with one: nothing else closes their connections.
     */
    void closeIdle();

    /** Returns a client whose every call renews the leases of {@code worker}. */
    ParameterServers as(String worker);

    /** Returns a client whose pulls use this encoding; see {@link PsClient#pullingAs}. */
    ParameterServers pullingAs(ParameterEncoding encoding);

    /**
     * Returns a client whose pulls, and the pulls of its pushes, have the trainable tensors only; all tensors if none is
     * frozen.
     *
     * @param frozen those of the run, as its server states them to a worker
     */
    ParameterServers omitting(FrozenTensors frozen);

    /** Registers a worker at all servers, under the id that the lead assigns; see {@link PsClient#register}. */
    RegisterWorkerReply register(RegisterWorkerRequest request) throws IOException;

    /** Ends a worker's leases. One that the lead does not know is a {@link ProblemException} with status 409. */
    UnregisterWorkerReply unregister(String worker) throws IOException;

    /** Pulls the newest parameter set. In synchronous training all of it is of one version; see ADR 23. */
    PullResult pull() throws IOException;

    /**
     * Pulls the newest parameter set unless it is {@code known}, waiting up to {@code wait} for another. A server that
     * began a new generation answers at once with its newest version.
     *
     * @param known a version of the lead
     */
    PullResult pullOtherThan(ParameterVersion known, Duration wait) throws IOException;

    /**
     * Pushes the gradient prepared last, which was computed on {@code base}: first to the lead, and to the others only
     * if the lead accepts it. The result is the lead's. If the push is repeated, each server still counts it once.
     *
     * @param metadata of the gradient; its generation and version are the base's
     * @param pull     whether to request the newest parameter set in the same round trip
     */
    PushResult push(GradientMetadata metadata, PullResult.Pulled base, GradientSender gradient, boolean pull)
            throws IOException;

    /**
     * Puts an initial parameter set if there is none. If another worker's set was first, it stays, and its missing
     * partitions are put.
     */
    void putInitial(InitialSet initial) throws IOException;

    /** Returns how many parts of gradients were lost: the lead accepted the gradient, and the part's server did not. */
    default long lostParts() {
        return 0;
    }

    /** The parameters that a run begins with. */
    @FunctionalInterface
    interface InitialSet {

        /** Returns the caller's own initial parameters, or those that it pulled last. */
        TensorSet own();

        /**
         * Returns the initial parameters of another worker, if they can be computed here. Some servers have their
         * partitions already, and the worker that put them may be dead.
         *
         * @param metadata of the partitions that the servers have
         */
        default Optional<TensorSet> like(Map<String, String> metadata) {
            return Optional.empty();
        }
    }
}
