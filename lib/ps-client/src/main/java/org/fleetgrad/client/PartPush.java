package org.fleetgrad.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemRules;
import org.fleetgrad.protocol.gradient.GradientMetadata;

/** Pushes parts of gradients to their servers. Thread-safe. */
final class PartPush {

    private static final Duration LONG_POLL = Duration.ofMillis(500);

    private final List<PsClient> servers;
    private final Membership membership;
    private final AtomicLong lost;

    PartPush(List<PsClient> servers, Membership membership) {
        this(servers, membership, new AtomicLong());
    }

    private PartPush(List<PsClient> servers, Membership membership, AtomicLong lost) {
        this.servers = servers;
        this.membership = membership;
        this.lost = lost;
    }

    PartPush by(List<PsClient> others) {
        return new PartPush(others, membership, lost);
    }

    /**
     * Pushes a server's part of a gradient that the lead has taken. If the server has forgotten the worker, the worker
     * registers again. If the worker is too far ahead there, it waits. If the server has made the step without this
     * worker, or has lost its history, the part is lost, and counted as lost.
     */
    PushResult deliver(int index, GradientMetadata metadata, GradientChannels gradient, boolean pull)
            throws IOException {
        while (true) {
            PushResult result = gradient.send(index, servers.get(index), metadata, pull);
            if (result instanceof PushResult.UnknownWorker) {
                membership.registerAt(index, metadata.worker());
            } else if (result instanceof PushResult.Stale stale
                    && stale.problem().rule().equals(ProblemRules.TOO_FAR_AHEAD)) {
                PullResult unused = servers.get(index)
                        .pullOtherThan(new ParameterVersion(metadata.generation(), metadata.baseVersion()), LONG_POLL);
            } else {
                if (!isTaken(result) && !(result instanceof PushResult.Rejected)) {
                    lost.incrementAndGet();
                    gradient.takeBack(index);
                }
                return result;
            }
        }
    }

    static boolean isTaken(PushResult result) {
        return result instanceof PushResult.Applied
                || result instanceof PushResult.Buffered
                || result instanceof PushResult.Duplicate;
    }

    static Optional<Pulled> pulled(PushResult result) {
        if (result instanceof PushResult.Applied applied) {
            return applied.pulled();
        }
        return result instanceof PushResult.Duplicate duplicate ? duplicate.pulled() : Optional.empty();
    }

    long lost() {
        return lost.get();
    }
}
