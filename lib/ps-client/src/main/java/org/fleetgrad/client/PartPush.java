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
    private final Settlement settlement;
    private final AtomicLong lost;

    PartPush(List<PsClient> servers, Membership membership, Settlement settlement) {
        this(servers, membership, settlement, new AtomicLong());
    }

    private PartPush(List<PsClient> servers, Membership membership, Settlement settlement, AtomicLong lost) {
        this.servers = servers;
        this.membership = membership;
        this.settlement = settlement;
        this.lost = lost;
    }

    PartPush by(List<PsClient> others, Settlement settling) {
        return new PartPush(others, membership, settling, lost);
    }

    /**
     * Stages a server's part; first settles the gradient that the worker left there, and registers the worker if the
     * server has forgotten it.
     */
    PushResult stage(int index, GradientMetadata metadata, GradientSender gradient) throws IOException {
        while (true) {
            PushResult result = gradient.stage(index, servers.get(index), metadata);
            if (result instanceof PushResult.UnknownWorker) {
                long unused = membership.registerAt(index, metadata.worker());
            } else if (result instanceof PushResult.Stale stale
                    && stale.problem().rule().equals(ProblemRules.UNSETTLED_GRADIENT)) {
                settlement.settle(index, metadata.worker());
            } else {
                return result;
            }
        }
    }

    /**
     * Commits a staged part, because the lead accepted the gradient. If the server lost it with its history, the part
     * is pushed, and counted as lost if the server does not accept it.
     *
     * @param staged the server's response when the part was staged
     * @param first  the lead's response
     */
    PushResult commit(
            int index,
            GradientMetadata metadata,
            GradientSender gradient,
            PushResult staged,
            PushResult first,
            boolean pull)
            throws IOException {
        if (staged instanceof PushResult.Duplicate && !(first instanceof PushResult.Duplicate)) {
            // The server counted another gradient under this number: the lead lost its state in between.
            lost.incrementAndGet();
            gradient.revert(index);
        }
        PushResult result =
                servers.get(index).settle(metadata.worker(), metadata.sequence(), Settlement.As.COUNTED, pull);
        return result instanceof PushResult.Stale ? deliver(index, metadata, gradient, pull) : result;
    }

    /** Aborts a staged part. If the server does not receive this, any client asks the lead later. */
    PushResult abort(int index, GradientMetadata metadata) {
        try {
            return servers.get(index).settle(metadata.worker(), metadata.sequence(), Settlement.As.DROPPED, false);
        } catch (IOException unreachable) {
            return new PushResult.Undecided("staged");
        }
    }

    /**
     * Pushes a server's part of a gradient that the lead has accepted. If the server has forgotten the worker, the
     * worker registers again. If the worker is too far ahead there, it waits. If the server has made the step without
     * this worker, or has lost its history, the part is lost, and counted as lost.
     */
    PushResult deliver(int index, GradientMetadata metadata, GradientSender gradient, boolean pull) throws IOException {
        while (true) {
            PushResult result = gradient.push(index, servers.get(index), metadata, pull);
            if (result instanceof PushResult.UnknownWorker) {
                long unused = membership.registerAt(index, metadata.worker());
            } else if (result instanceof PushResult.Stale stale
                    && stale.problem().rule().equals(ProblemRules.TOO_FAR_AHEAD)) {
                PullResult unused = servers.get(index)
                        .pullOtherThan(new ParameterVersion(metadata.generation(), metadata.baseVersion()), LONG_POLL);
            } else {
                if (!isAccepted(result) && !(result instanceof PushResult.Rejected)) {
                    lost.incrementAndGet();
                    gradient.revert(index);
                }
                return result;
            }
        }
    }

    static boolean isAccepted(PushResult result) {
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
