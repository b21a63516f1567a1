package org.fleetgrad.e2e.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.client.ServerUnavailableException;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;

/** Pushes gradients, each until it is answered, and records the answers. */
final class LoadWorker {

    /** So short that a stopped server or a slow network makes a client repeat a request that is still on its way. */
    private static final ClientOptions IMPATIENT =
            new ClientOptions(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO, 1 << 20);

    private static final Duration LONG_POLL = Duration.ofMillis(100);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(30);
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(450);
    private static final double RESTS = 0.01;
    private static final double REPEATS = 0.1;
    /** Well within the sequence numbers that the server must remember for a worker. */
    private static final int REPEATED_BACK = 20;

    private final String id;
    private final Fleet.Work work;
    private final Fleet fleet;
    private final Tally tally;
    private final Random random;
    private final PsClient anonymous;
    private final PsClient client;
    private long sequence;
    private long acknowledged;
    private Optional<Pulled> newest = Optional.empty();

    LoadWorker(String id, Fleet.Work work, Fleet fleet, Tally tally, long seed) {
        this.id = id;
        this.work = work;
        this.fleet = fleet;
        this.tally = tally;
        this.random = new Random(seed);
        this.anonymous = new PsClient(work.server(), IMPATIENT);
        this.client = anonymous.as(id);
    }

    String id() {
        return id;
    }

    void run() throws IOException, InterruptedException {
        register();
        while (fleet.mayGoOn()) {
            if (work.setup().hasShortLease() && random.nextDouble() < RESTS) {
                // Long enough for the lease to expire.
                LockSupport.parkNanos(REST_NANOS);
            }
            Pulled base = newest.isPresent() ? newest.get() : pull();
            push(base);
            if (acknowledged > 0 && random.nextDouble() < REPEATS) {
                repeat(base);
            }
        }
        leave();
    }

    /** Repeats a call until there is an answer. */
    private <T> T insist(String what, HangWatch.Work<T> attempt) throws IOException {
        return work.watch().watch(id + " waits to " + what, () -> {
            while (true) {
                try {
                    return attempt.run();
                } catch (ServerUnavailableException away) {
                    fleet.requireWhole();
                    LockSupport.parkNanos(RETRY_NANOS);
                }
            }
        });
    }

    private void register() throws IOException {
        RegisterWorkerRequest request = new RegisterWorkerRequest(id, "load", null, "none");
        try {
            RegisterWorkerReply reply = insist("register", () -> anonymous.register(request));
            if (reply.sequence() < acknowledged) {
                tally.lost(
                        acknowledged - reply.sequence(),
                        "worker %s was acknowledged sequence %d, the server remembers up to %d"
                                .formatted(id, acknowledged, reply.sequence()));
            }
        } catch (ProblemException refused) {
            // The answer to an earlier try was lost.
            requireRule(refused, ProblemKind.WORKER_EXISTS.rule());
        }
    }

    private void leave() throws IOException {
        try {
            Object unused = insist("unregister", () -> client.unregister(id));
        } catch (ProblemException refused) {
            requireRule(refused, ProblemKind.UNKNOWN_WORKER.rule());
        }
    }

    private static void requireRule(ProblemException refused, String rule) throws ProblemException {
        if (!refused.problem().rule().equals(rule)) {
            throw refused;
        }
    }

    private Pulled pull() throws IOException {
        PullResult result = insist("pull", client::pull);
        if (result instanceof PullResult.Pulled pulled) {
            return pulled;
        }
        throw new IOException("a pull was answered " + result);
    }

    private void push(Pulled base) throws IOException {
        sequence++;
        GradientMetadata metadata = metadata(sequence, base);
        float[] gradient = work.gradients().of(id, sequence);
        boolean isPull = random.nextBoolean();
        PushResult answer = work.watch().watch("%s waits for the answer of %d".formatted(id, sequence), () -> {
            while (true) {
                fleet.requireWhole();
                PushResult result = insist("push", () -> client.push(metadata, Gradients.LAYOUT, gradient, isPull));
                if (result instanceof PushResult.UnknownWorker) {
                    register();
                } else if (result instanceof PushResult.Stale stale
                        && stale.problem().is(ProblemKind.TOO_FAR_AHEAD)) {
                    Object unused = insist("be let on", () -> client.pullOtherThan(base.version(), LONG_POLL));
                } else {
                    return result;
                }
            }
        });
        conclude(answer, base);
    }

    private GradientMetadata metadata(long number, Pulled base) {
        return new GradientMetadata(
                id,
                number,
                base.version().generation(),
                base.version().version(),
                work.gradients().samples(id, number),
                1.0);
    }

    private void conclude(PushResult result, Pulled base) throws IOException {
        boolean isAwaiting = false;
        newest = Optional.empty();
        if (result instanceof PushResult.Applied applied) {
            if (applied.staleness() != applied.version() - 1 - base.version().version()) {
                tally.failed("worker %s: %s on base %s".formatted(id, applied, base.version()));
            }
            acknowledge(true, applied.version(), base);
            newest = applied.pulled();
            isAwaiting = applied.awaitNext();
        } else if (result instanceof PushResult.Buffered buffered) {
            acknowledge(false, buffered.version(), base);
            isAwaiting = buffered.awaitNext();
        } else if (result instanceof PushResult.Duplicate duplicate) {
            acknowledge(duplicate.first().equals("applied"), duplicate.version(), base);
            newest = duplicate.pulled();
            isAwaiting = duplicate.awaitNext();
        } else if (!(result instanceof PushResult.Stale stale)
                || !stale.problem().is(ProblemKind.STALE_GRADIENT)) {
            throw new IOException("push %d on %s was answered %s".formatted(sequence, base.version(), result));
        } else {
            return;
        }
        if (isAwaiting) {
            awaitOtherThan(base);
        } else if (newest.isEmpty() && random.nextBoolean()) {
            // Pushes another gradient on the same version, so that the next one is stale.
            newest = Optional.of(base);
        }
    }

    private void acknowledge(boolean isApplied, long version, Pulled base) {
        acknowledged = sequence;
        work.acknowledgements()
                .add(new Acknowledgement(
                        id,
                        sequence,
                        isApplied,
                        version,
                        base.version().version(),
                        work.gradients().samples(id, sequence)));
    }

    private void awaitOtherThan(Pulled base) throws IOException {
        newest = work.watch().watch("%s waits for a version after %s".formatted(id, base.version()), () -> {
            while (!fleet.isHolding()) {
                PullResult result = insist("pull another", () -> client.pullOtherThan(base.version(), LONG_POLL));
                if (result instanceof PullResult.Pulled pulled) {
                    return Optional.of(pulled);
                }
            }
            return Optional.empty();
        });
    }

    /** Repeats an acknowledged push: the answer must be the first one. */
    private void repeat(Pulled base) throws IOException {
        Acknowledgement first = work.acknowledgements().recent(id, random.nextInt(REPEATED_BACK));
        float[] gradient = work.gradients().of(id, first.sequence());
        PushResult result = insist(
                "push again", () -> client.push(metadata(first.sequence(), base), Gradients.LAYOUT, gradient, false));
        if (result instanceof PushResult.Applied || result instanceof PushResult.Buffered) {
            tally.doubled(1, "%s pushed again was answered %s".formatted(first, result));
        } else if (!(result instanceof PushResult.Duplicate duplicate)
                || duplicate.version() != first.version()
                || duplicate.first().equals("applied") != first.isApplied()) {
            tally.failed("%s pushed again was answered %s".formatted(first, result));
        }
    }
}
