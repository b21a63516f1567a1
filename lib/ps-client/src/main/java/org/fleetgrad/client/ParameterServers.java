package org.fleetgrad.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.RegisterWorkerRequest;

/**
 * The servers of a run: one that has all of its parameters, or several that have a partition of them each. The first of
 * several is the lead: it has the work, the statistics and the accuracy, and its version is the run's.
 *
 * <p>Safe from several threads.
 */
public sealed interface ParameterServers permits SingleServer, PartitionedServers {

    /** Returns a client of these servers, in the order of their partitions. */
    static ParameterServers of(List<PsClient> servers) {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("a run has one parameter server or more; none is given");
        }
        return servers.size() == 1 ? new SingleServer(servers.get(0)) : new PartitionedServers(servers);
    }

    /** Returns the client of the lead. */
    PsClient lead();

    /** Returns the clients of all, the lead first. */
    List<PsClient> all();

    /** Returns a client whose every call renews the leases of {@code worker}. */
    ParameterServers as(String worker);

    /** Returns a client whose pulls travel in this encoding; see {@link PsClient#pullingAs}. */
    ParameterServers pullingAs(ParameterEncoding encoding);

    /** Registers a worker at all servers, under the id that the lead gives it; see {@link PsClient#register}. */
    RegisterWorkerReply register(RegisterWorkerRequest request) throws IOException;

    /** Ends a worker's leases. One that the lead does not know is a {@link ProblemException} with status 409. */
    void unregister(String worker) throws IOException;

    /** Pulls the newest parameter set. In synchronous training all of it is of one version; see the package's ADR 23. */
    PullResult pull() throws IOException;

    /**
     * Pulls the newest parameter set unless it is {@code known}, waiting up to {@code wait} for another.
     *
     * @param known a version of the lead
     */
    PullResult pullOtherThan(ParameterVersion known, Duration wait) throws IOException;

    /**
     * Pushes the gradient prepared last, which was computed on {@code base}: to the lead first, and only what the lead takes to
     * the others. What comes of it is what the lead says. Where it is repeated, each server counts it once.
     *
     * @param metadata of the gradient; its generation and version are the base's
     * @param pull     whether to ask for the newest parameter set in the same round trip
     */
    PushResult push(GradientMetadata metadata, PullResult.Pulled base, GradientChannels gradient, boolean pull)
            throws IOException;

    /** Puts an initial parameter set where there is none; another's that came first is made whole and stays. */
    void putInitial(InitialSet initial) throws IOException;

    /** Returns how many partitions of gradients that the lead took were lost on the way to the other servers. */
    long lostParts();
}
