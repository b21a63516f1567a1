package org.fleetgrad.client;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.messages.WorkerMessages.PassStepReply;
import org.jspecify.annotations.Nullable;

/**
 * Waits, in synchronous training, until every server is at the same version. If a server is behind, a worker reports to
 * it that it has no gradient for that step. Otherwise that server would wait for the worker while the worker waits for
 * the server.
 *
 * <p>In asynchronous training the parts need not be of one version: such reads are those of any partitioned parameter
 * server (Li et al., "Scaling distributed machine learning with the parameter server", OSDI 2014).
 */
final class SameVersion {

    /** The servers wait for a worker that died until its lease runs out, and leases may be long. */
    private static final Duration TIMEOUT_OF_WORKERS = Duration.ofMinutes(5);

    /** For a reader, parts of neighbouring versions are better than nothing. */
    private static final Duration TIMEOUT_OF_READERS = Duration.ofSeconds(2);

    private static final Duration LONG_POLL = Duration.ofMillis(500);

    private final List<PsClient> servers;
    private final Membership membership;
    private final PartPush pushes;
    private final ParallelCalls calls;
    private final Waits waits;
    private final Optional<String> worker;
    private volatile @Nullable Mode mode;

    /** How the run of this generation trains. */
    private record Mode(String generation, boolean isSynchronous) {}

    SameVersion(
            List<PsClient> servers,
            Membership membership,
            PartPush pushes,
            ParallelCalls calls,
            Waits waits,
            Optional<String> worker) {
        this.servers = servers;
        this.membership = membership;
        this.pushes = pushes;
        this.calls = calls;
        this.waits = waits;
        this.worker = worker;
    }

    /** Returns the default timeout. */
    Duration timeout() {
        return worker.isPresent() ? TIMEOUT_OF_WORKERS : TIMEOUT_OF_READERS;
    }

    /**
     * Returns the parts: in synchronous training, of one version. If the versions still differ after {@code wait}, a
     * worker gets nothing and a reader gets the parts as they are.
     */
    Optional<List<Pulled>> of(List<Pulled> pulled, Duration wait) throws IOException {
        List<Pulled> parts = new ArrayList<>(pulled);
        long end = waits.nanos() + wait.toNanos();
        while (!isOne(parts)) {
            if (!isSynchronous(parts.get(0).version().generation())) {
                return Optional.of(parts);
            }
            Duration left = Duration.ofNanos(end - waits.nanos());
            if (left.isNegative() || left.isZero()) {
                return worker.isPresent() ? Optional.empty() : Optional.of(parts);
            }
            Duration poll = left.compareTo(LONG_POLL) < 0 ? left : LONG_POLL;
            long newest = parts.stream()
                    .mapToLong(part -> part.version().version())
                    .max()
                    .orElseThrow();
            List<Pulled> before = List.copyOf(parts);
            parts = calls.each(0, servers.size(), i -> follow(i, before.get(i), newest, poll));
        }
        return Optional.of(parts);
    }

    private static boolean isOne(List<Pulled> parts) {
        long version = parts.get(0).version().version();
        return parts.stream().allMatch(part -> part.version().version() == version);
    }

    private Pulled follow(int index, Pulled part, long newest, Duration wait) throws IOException {
        ParameterVersion version = part.version();
        if (version.version() >= newest) {
            return part;
        }
        if (worker.isPresent()) {
            if (index > 0) {
                // It may wait for the lead's decision on a gradient whose worker is gone.
                pushes.settle(index, "");
            }
            pass(index, worker.get(), version);
        }
        // Rounded up: 0 ms would be no wait at all.
        return servers.get(index).pullOtherThan(version, wait.plusMillis(1)) instanceof Pulled later ? later : part;
    }

    private void pass(int index, String name, ParameterVersion version) throws IOException {
        try {
            PassStepReply unused = servers.get(index).passStep(name, version);
        } catch (ProblemException refused) {
            if (refused.problem().is(ProblemKind.UNKNOWN_WORKER)) {
                // That server does not wait for it. It registers there, to be counted from the next step on.
                long unused = membership.registerAt(index, name);
            } else if (!refused.problem().is(ProblemKind.NO_PARAMETERS)) {
                throw refused;
            }
        }
    }

    private boolean isSynchronous(String generation) throws IOException {
        Mode known = mode;
        if (known == null || !known.generation().equals(generation)) {
            known = new Mode(generation, servers.get(0).status().synchronous());
            mode = known;
        }
        return known.isSynchronous();
    }
}
