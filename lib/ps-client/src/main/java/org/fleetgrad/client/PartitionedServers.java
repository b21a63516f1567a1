package org.fleetgrad.client;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.messages.WorkerMessages.UnregisterWorkerReply;
import org.fleetgrad.protocol.tensor.FrozenTensors;

/**
 * Servers that each hold a partition of the parameters (ADR 23).
 *
 * <p>All servers but the lead stage a gradient, which does not count yet. Then it is pushed to the lead. The lead's
 * decision applies to all servers (ADR 31): so one server decides which gradients make a step, and the progress of the
 * work. If the worker dies in between, any client asks the lead. The calls to the other servers are made in parallel.
 */
final class PartitionedServers implements ParameterServers {

    private final List<PsClient> servers;
    private final Membership membership;
    private final SameVersion sameVersion;
    private final ParallelCalls calls;
    private final Waits waits;
    private final Reassembly reassembly;
    private final PartPush parts;
    private final Optional<String> worker;

    PartitionedServers(List<PsClient> servers) {
        this(servers, new CallThreads(), Waits.SYSTEM);
    }

    /**
     * @param calls makes the calls to several servers
     * @param waits measures their time
     */
    PartitionedServers(List<PsClient> servers, ParallelCalls calls, Waits waits) {
        this.servers = List.copyOf(servers);
        this.calls = calls;
        this.waits = waits;
        this.reassembly = new Reassembly(this.servers);
        this.membership = new Membership(this.servers, calls);
        this.parts = new PartPush(this.servers, membership, waits);
        this.sameVersion = new SameVersion(this.servers, membership, parts, calls, waits, Optional.empty());
        this.worker = Optional.empty();
    }

    private PartitionedServers(PartitionedServers from, List<PsClient> servers, Optional<String> worker) {
        this(from, servers, from.reassembly, worker);
    }

    private PartitionedServers(
            PartitionedServers from, List<PsClient> servers, Reassembly reassembly, Optional<String> worker) {
        this.servers = servers;
        this.calls = from.calls;
        this.waits = from.waits;
        this.reassembly = reassembly;
        this.membership = from.membership;
        this.parts = from.parts.by(servers);
        this.sameVersion = new SameVersion(servers, membership, parts, calls, waits, worker);
        this.worker = worker;
    }

    @Override
    public PsClient lead() {
        return servers.get(0);
    }

    @Override
    public List<PsClient> all() {
        return servers;
    }

    @Override
    public void closeIdle() {
        servers.forEach(PsClient::closeIdle);
    }

    @Override
    public ParameterServers as(String name) {
        return new PartitionedServers(
                this, servers.stream().map(server -> server.as(name)).toList(), Optional.of(name));
    }

    @Override
    public ParameterServers pullingAs(ParameterEncoding encoding) {
        return new PartitionedServers(
                this, servers.stream().map(server -> server.pullingAs(encoding)).toList(), worker);
    }

    @Override
    public ParameterServers omitting(FrozenTensors frozen) {
        return new PartitionedServers(
                this,
                servers.stream().map(server -> server.omitting(frozen)).toList(),
                reassembly.omitting(frozen),
                worker);
    }

    @Override
    public RegisterWorkerReply register(RegisterWorkerRequest request) throws IOException {
        return membership.register(request);
    }

    @Override
    public UnregisterWorkerReply unregister(String worker) throws IOException {
        return membership.unregister(servers, worker);
    }

    @Override
    public PullResult pull() throws IOException {
        return complete(calls.each(0, servers.size(), i -> servers.get(i).pull()), sameVersion.timeout());
    }

    @Override
    public PullResult pullOtherThan(ParameterVersion known, Duration wait) throws IOException {
        long begin = waits.nanos();
        PullResult first = lead().pullOtherThan(known, wait);
        if (!(first instanceof Pulled)) {
            return first;
        }
        List<PullResult> all = new ArrayList<>(List.of(first));
        all.addAll(calls.each(1, servers.size(), i -> servers.get(i).pull()));
        return complete(all, wait.minusNanos(waits.nanos() - begin));
    }

    /** Joins all responses: in a synchronous run into one version, if all reach it within the wait. */
    private PullResult complete(List<PullResult> results, Duration wait) throws IOException {
        List<Pulled> pulled = new ArrayList<>();
        for (PullResult result : results) {
            if (!(result instanceof Pulled part)) {
                return new PullResult.NotInitialized();
            }
            pulled.add(part);
        }
        Optional<List<Pulled>> same = sameVersion.of(pulled, wait);
        return same.isPresent() ? reassembly.join(same.get()) : new PullResult.NotModified();
    }

    @Override
    public PushResult push(GradientMetadata metadata, Pulled base, GradientSender gradient, boolean pull)
            throws IOException {
        parts.settleSometimes();
        List<ParameterVersion> versions = base.parts();
        GradientMetadata others = metadata.reaching(Optional.empty());
        List<PushResult> staged =
                calls.each(1, servers.size(), i -> parts.stage(i, others.on(versions.get(i)), gradient));
        Optional<PushResult> refused =
                staged.stream().filter(result -> !isStaged(result)).findFirst();
        PushResult first =
                refused.isPresent() ? refused.get() : gradient.push(0, lead(), metadata.on(versions.get(0)), pull);
        if (first instanceof PushResult.UnknownWorker) {
            // The worker registers and pushes the same gradient again: its parts stay staged.
            return first;
        }
        if (refused.isPresent() || !(first instanceof PushResult.Accepted)) {
            List<PushResult> unused = calls.each(1, servers.size(), i -> parts.abort(i, others));
            if (first instanceof PushResult.Stale || first instanceof PushResult.NotInitialized) {
                gradient.revert();
            }
            return first;
        }
        List<PushResult> results = new ArrayList<>(List.of(first));
        results.addAll(calls.each(
                1,
                servers.size(),
                i -> parts.commit(i, others.on(versions.get(i)), gradient, staged.get(i - 1), first, pull)));
        return withAllParts(results);
    }

    private static boolean isStaged(PushResult result) {
        return result instanceof PushResult.Duplicate
                || (result instanceof PushResult.Undecided undecided
                        && undecided.outcome().equals("staged"));
    }

    /** Returns the lead's result, with the parameters of all servers if the responses have them and they fit calls. */
    private PushResult withAllParts(List<PushResult> results) throws IOException {
        PushResult first = results.get(0);
        if (first.pulled().isEmpty()) {
            return first;
        }
        List<PullResult> all = calls.each(0, servers.size(), i -> {
            Optional<Pulled> received = results.get(i).pulled();
            return received.isPresent() ? received.get() : servers.get(i).pull();
        });
        // Do not wait here: the worker watches its deadline while it waits, so it must pull itself.
        PullResult complete = complete(all, Duration.ZERO);
        Optional<Pulled> joined = complete instanceof Pulled pulled ? Optional.of(pulled) : Optional.empty();
        if (first instanceof PushResult.Applied applied) {
            return new PushResult.Applied(
                    applied.version(), applied.staleness(), joined.isEmpty(), applied.isPaused(), joined);
        }
        PushResult.Duplicate duplicate = (PushResult.Duplicate) first;
        return new PushResult.Duplicate(
                duplicate.first(), duplicate.version(), joined.isEmpty(), duplicate.isPaused(), joined);
    }

    @Override
    public void putInitial(InitialSet initial) throws IOException {
        new InitialPartitions(servers, calls, waits).complete(initial);
    }

    @Override
    public long lostParts() {
        return parts.lost();
    }
}
