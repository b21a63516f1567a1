package org.fleetgrad.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.ParameterMessages.StagedGradientsReply.Staged;

/**
 * Pushes parts of gradients to their servers, and settles those whose worker is gone. Any client may settle, at any
 * time, and several at once. Thread-safe.
 */
final class PartPush {

    private static final Duration LONG_POLL = Duration.ofMillis(500);
    private static final long CHECK_NANOS = Duration.ofSeconds(10).toNanos();

    private final List<PsClient> servers;
    private final Membership membership;
    private final Waits waits;
    private final AtomicLong lost;
    private final AtomicLong nextCheck;

    /** What a gradient is settled as; {@code ASKED} requests its outcome. */
    enum As {
        COUNTED,
        DROPPED,
        ASKED;

        /** Returns the word of the contract. */
        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    PartPush(List<PsClient> servers, Membership membership, Waits waits) {
        this(servers, membership, waits, new AtomicLong(), new AtomicLong(waits.nanos() + CHECK_NANOS));
    }

    private PartPush(
            List<PsClient> servers, Membership membership, Waits waits, AtomicLong lost, AtomicLong nextCheck) {
        this.servers = servers;
        this.membership = membership;
        this.waits = waits;
        this.lost = lost;
        this.nextCheck = nextCheck;
    }

    PartPush by(List<PsClient> others) {
        return new PartPush(others, membership, waits, lost, nextCheck);
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
            } else if (isStale(result, ProblemKind.UNSETTLED_GRADIENT)) {
                settle(index, metadata.worker());
            } else {
                return result;
            }
        }
    }

    private static boolean isStale(PushResult result, ProblemKind kind) {
        return result instanceof PushResult.Stale stale && stale.problem().is(kind);
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
            lose(index, gradient);
        }
        PushResult result = servers.get(index).settle(metadata.worker(), metadata.sequence(), As.COUNTED, pull);
        return result instanceof PushResult.Stale ? deliver(index, metadata, gradient, pull) : result;
    }

    private void lose(int index, GradientSender gradient) {
        lost.incrementAndGet();
        gradient.revert(index);
    }

    /** Aborts a staged part. If the server does not receive this, any client asks the lead later. */
    PushResult abort(int index, GradientMetadata metadata) {
        try {
            return servers.get(index).settle(metadata.worker(), metadata.sequence(), As.DROPPED, false);
        } catch (IOException unreachable) {
            return new PushResult.Undecided("staged");
        }
    }

    /**
     * Pushes a server's part of a gradient that the lead has accepted. If the server has forgotten the worker, the
     * worker registers again. If the worker is too far ahead there, it waits. If the server has made the step without
     * this worker, or has lost its history, the part is lost, and counted as lost.
     */
    private PushResult deliver(int index, GradientMetadata metadata, GradientSender gradient, boolean pull)
            throws IOException {
        while (true) {
            PushResult result = gradient.push(index, servers.get(index), metadata, pull);
            if (result instanceof PushResult.UnknownWorker) {
                long unused = membership.registerAt(index, metadata.worker());
            } else if (isStale(result, ProblemKind.TOO_FAR_AHEAD)) {
                PullResult unused = servers.get(index)
                        .pullOtherThan(new ParameterVersion(metadata.generation(), metadata.baseVersion()), LONG_POLL);
            } else {
                if (!(result instanceof PushResult.Accepted || result instanceof PushResult.Rejected)) {
                    lose(index, gradient);
                }
                return result;
            }
        }
    }

    long lost() {
        return lost.get();
    }

    /** Settles the gradients that gone workers left at all servers, if no call checked in the last seconds. */
    void settleSometimes() throws IOException {
        long now = waits.nanos();
        long due = nextCheck.get();
        if (now - due >= 0 && nextCheck.compareAndSet(due, now + CHECK_NANOS)) {
            for (int i = 1; i < servers.size(); i++) {
                settle(i, "");
            }
        }
    }

    /**
     * Settles the gradients staged at a server: asks the lead for the outcome of each, and reports it to the server.
     *
     * @param worker this worker, in whose name this client calls; if empty, all workers that are gone
     */
    void settle(int index, String worker) throws IOException {
        PsClient server = servers.get(index);
        for (Staged staged : server.staged(worker)) {
            PushResult decision = servers.get(0).settle(staged.worker(), staged.sequence(), As.ASKED, false);
            if (decision instanceof PushResult.Duplicate) {
                report(server, staged, As.COUNTED);
            } else if (decision instanceof PushResult.Undecided undecided
                    && undecided.outcome().equals("dropped")) {
                report(server, staged, As.DROPPED);
            }
        }
    }

    private static void report(PsClient server, Staged staged, As as) throws IOException {
        try {
            PushResult unused = server.settle(staged.worker(), staged.sequence(), as, false);
        } catch (ProblemException refused) {
            // The worker returned meanwhile, and settles its gradient itself.
            if (!refused.problem().is(ProblemKind.FORBIDDEN)) {
                throw refused;
            }
        }
    }
}
