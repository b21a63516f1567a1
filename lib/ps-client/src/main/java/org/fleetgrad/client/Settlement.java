package org.fleetgrad.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.protocol.ProblemRules;
import org.fleetgrad.protocol.messages.ParameterMessages.StagedGradientsReply;

/**
 * Settles gradients whose worker is gone: asks the lead for the outcome of each, and reports it to the server that has
 * it staged. Any client may do this, at any time, and several at once. Thread-safe.
 */
final class Settlement {

    private static final long CHECK_NANOS = Duration.ofSeconds(10).toNanos();

    private final List<PsClient> servers;
    private final AtomicLong next;

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

    Settlement(List<PsClient> servers) {
        this(servers, new AtomicLong(System.nanoTime() + CHECK_NANOS));
    }

    private Settlement(List<PsClient> servers, AtomicLong next) {
        this.servers = servers;
        this.next = next;
    }

    Settlement by(List<PsClient> others) {
        return new Settlement(others, next);
    }

    /** Settles the gradients that gone workers left at all servers, if no call checked in the last seconds. */
    void checkSometimes() throws IOException {
        long now = System.nanoTime();
        long due = next.get();
        if (now - due >= 0 && next.compareAndSet(due, now + CHECK_NANOS)) {
            for (int i = 1; i < servers.size(); i++) {
                settle(i, "");
            }
        }
    }

    /**
     * Settles the gradients staged at a server.
     *
     * @param worker this worker, in whose name this client calls; if empty, all workers that are gone
     */
    void settle(int index, String worker) throws IOException {
        PsClient server = servers.get(index);
        for (StagedGradientsReply.Staged staged : server.staged(worker)) {
            PushResult decision = servers.get(0).settle(staged.worker(), staged.sequence(), As.ASKED, false);
            if (decision instanceof PushResult.Duplicate) {
                report(server, staged, As.COUNTED);
            } else if (decision instanceof PushResult.Undecided undecided
                    && undecided.outcome().equals("dropped")) {
                report(server, staged, As.DROPPED);
            }
        }
    }

    private static void report(PsClient server, StagedGradientsReply.Staged staged, As as) throws IOException {
        try {
            PushResult unused = server.settle(staged.worker(), staged.sequence(), as, false);
        } catch (ProblemException refused) {
            // The worker returned meanwhile, and settles its gradient itself.
            if (!refused.problem().rule().equals(ProblemRules.FORBIDDEN)) {
                throw refused;
            }
        }
    }
}
