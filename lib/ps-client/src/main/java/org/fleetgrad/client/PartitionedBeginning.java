package org.fleetgrad.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.partition.Partitioning;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * Brings the servers of a run their first partitions, all of one set.
 *
 * <p>The lead's comes first, and decides: it is put where there is none, so of two workers with different sets one wins.
 * Whoever finds some servers without a partition completes the set that the others are of. What is there says which set
 * that is and how it was made, so that the one who began may die at any time.
 */
final class PartitionedBeginning {

    /** Whoever began this set is given that long to go on, where nobody else can make it. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration LOOK = Duration.ofMillis(100);

    private final List<PsClient> servers;
    private final Together together;

    PartitionedBeginning(List<PsClient> servers, Together together) {
        this.servers = servers;
        this.together = together;
    }

    void complete(InitialSet initial) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            List<PullResult> there =
                    together.each(0, servers.size(), i -> servers.get(i).pull());
            Optional<Map<String, String>> begun = there.stream()
                    .filter(Pulled.class::isInstance)
                    .map(result -> ((Pulled) result).parameters().metadata())
                    .findFirst();
            List<Integer> missing = IntStream.range(0, servers.size())
                    .filter(i -> there.get(i) instanceof PullResult.NotInitialized)
                    .boxed()
                    .toList();
            if (missing.isEmpty()) {
                return;
            }
            Optional<TensorSet> set = begun.isEmpty() ? Optional.of(initial.own()) : setOf(begun.get(), initial);
            if (set.isPresent()) {
                // Where nothing was there the lead alone is asked: which set it has then decides about the rest.
                put(set.get(), begun.isEmpty() ? List.of(0) : missing);
                continue;
            }
            if (System.nanoTime() > end) {
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
            // One that came first was of the same set: it says so when it is pulled.
            PutResult unused = servers.get(index).putInitial(parts.get(index));
        }
    }

    private Optional<TensorSet> setOf(Map<String, String> begun, InitialSet initial) {
        String origin = begun.getOrDefault(PartitionLabel.ORIGIN, "");
        TensorSet own = initial.own();
        return isOf(origin, own) ? Optional.of(own) : initial.like(begun).filter(set -> isOf(origin, set));
    }

    private boolean isOf(String origin, TensorSet set) {
        TensorSet part =
                Partitioning.of(set.layout(), servers.size()).split(set).get(0);
        return origin.equals(part.metadata().get(PartitionLabel.ORIGIN));
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(LOOK.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ServerUnavailableException(
                    "waiting for the servers' first parameters was interrupted", interrupted);
        }
    }
}
