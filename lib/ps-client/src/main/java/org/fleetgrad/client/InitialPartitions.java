package org.fleetgrad.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.partition.Partitioning;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * Puts the initial partitions of a run, all of one set, to its servers.
 *
 * <p>The lead's partition comes first and decides: it is put only if there is none, so of two workers with different
 * sets one wins. A worker that finds some servers without a partition completes the set of the other servers. The
 * metadata of their partitions identifies that set and how it was made. So the worker that began may die at any time.
 */
final class InitialPartitions {

    /** How long to wait for the worker that began the set, if this worker cannot compute it. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Duration POLL = Duration.ofMillis(100);

    private final List<PsClient> servers;
    private final ParallelCalls calls;
    private final Waits waits;

    InitialPartitions(List<PsClient> servers, ParallelCalls calls, Waits waits) {
        this.servers = servers;
        this.calls = calls;
        this.waits = waits;
    }

    void complete(ParameterServers.InitialSet initial) throws IOException {
        long end = waits.nanos() + TIMEOUT.toNanos();
        while (true) {
            List<PullResult> pulled =
                    calls.each(0, servers.size(), i -> servers.get(i).pull());
            Optional<Map<String, String>> begun = pulled.stream()
                    .filter(Pulled.class::isInstance)
                    .map(result -> ((Pulled) result).parameters().metadata())
                    .findFirst();
            List<Integer> missing = IntStream.range(0, servers.size())
                    .filter(i -> pulled.get(i) instanceof PullResult.NotInitialized)
                    .boxed()
                    .toList();
            if (missing.isEmpty()) {
                return;
            }
            Optional<TensorSet> set = begun.isEmpty() ? Optional.of(initial.own()) : setOf(begun.get(), initial);
            if (set.isPresent()) {
                // If no server had a partition, put only the lead's: the set that the lead then has decides about the
                // other partitions.
                put(set.get(), begun.isEmpty() ? List.of(0) : missing);
                continue;
            }
            if (waits.nanos() > end) {
                throw new IOException(
                        "%s has no parameters, and the run was begun elsewhere with others than this worker can make (origin %s): give all workers one seed, or begin with empty servers"
                                .formatted(
                                        servers.get(missing.get(0)).address(),
                                        begun.get().get(PartitionLabel.ORIGIN)));
            }
            pause();
        }
    }

    private void put(TensorSet set, List<Integer> missing) throws IOException {
        List<TensorSet> parts = Partitioning.of(set.layout(), servers.size()).split(set);
        for (int index : missing) {
            // If another partition came first, it is of the same set: the next pull checks it.
            Optional<ParameterVersion> unused = servers.get(index).putInitial(parts.get(index));
        }
    }

    private Optional<TensorSet> setOf(Map<String, String> begun, ParameterServers.InitialSet initial) {
        String origin = begun.getOrDefault(PartitionLabel.ORIGIN, "");
        TensorSet own = initial.own();
        return isOf(origin, own) ? Optional.of(own) : initial.like(begun).filter(set -> isOf(origin, set));
    }

    private boolean isOf(String origin, TensorSet set) {
        TensorSet part =
                Partitioning.of(set.layout(), servers.size()).split(set).get(0);
        return origin.equals(part.metadata().get(PartitionLabel.ORIGIN));
    }

    private void pause() throws IOException {
        try {
            waits.sleeper().sleep(POLL);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ServerUnavailableException(
                    "waiting for the servers' first parameters was interrupted", interrupted);
        }
    }
}
