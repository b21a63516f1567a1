package org.fleetgrad.e2e.soak;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.GradientSender;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.client.ServerUnavailableException;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.encoding.EncodingException;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.ParameterState;

/**
 * One worker: it comes, pushes for a while, and leaves or vanishes. It exchanges as worker-action does: a push with a pull in one round
 * trip, repeated under its number until it is answered. Each pull must show all pushes of its desk.
 */
final class SoakWorker {

    /** Vanishes in the middle of a push. */
    private static final ClientOptions HASTY =
            new ClientOptions(Duration.ofSeconds(1), Duration.ofMillis(1), Duration.ZERO, 1 << 20);

    private static final int FEWEST_PUSHES = 5;
    private static final int MOST_MORE_PUSHES = 60;

    private final int desk;
    private final int desks;
    private final String id;
    private final PsClient anonymous;
    private final PsClient client;
    private final SoakTally tally;
    private final GradientSender sender =
            new GradientSender(SoakedModel.LAYOUT, ParameterState.NONE, FrozenTensors.NONE, Encodings.PLAIN, 1);
    private long sequence;
    /** Of the last answer. */
    private ParameterVersion base = new ParameterVersion("unregistered", 0);

    /** How a worker waits between two pushes, and what else it sends. */
    interface Manner {

        /** Waits; returns false when the soak is over. */
        boolean rest() throws InterruptedException;

        /** Returns what this worker sends before a push that counts, and that must be refused. */
        Optional<Poison> poison();
    }

    /** @param desk the place that this worker's gradients count at */
    SoakWorker(int desk, int desks, int number, URI server, SoakTally tally) {
        this.desk = desk;
        this.desks = desks;
        this.id = "soak-%d-%d".formatted(desk, number);
        this.anonymous = new PsClient(server, ClientOptions.DEFAULT);
        this.client = anonymous.as(id);
        this.tally = tally;
    }

    /** Works until it has had enough, or the soak is over. */
    void work(Manner manner, Random random) throws IOException, InterruptedException {
        tally.came();
        try {
            register();
            int pushes = FEWEST_PUSHES + random.nextInt(MOST_MORE_PUSHES);
            for (int i = 0; i < pushes && manner.rest(); i++) {
                Optional<Poison> poison = manner.poison();
                if (poison.isPresent()) {
                    poison(poison.get());
                }
                push();
            }
            if (random.nextBoolean()) {
                leave();
            } else if (random.nextBoolean()) {
                vanishInAPush();
            }
        } finally {
            client.closeIdle();
        }
    }

    private void register() throws IOException {
        while (true) {
            try {
                var reply = anonymous.register(new RegisterWorkerRequest(id, "soak", null, "none"));
                base = new ParameterVersion(reply.generation(), reply.version());
                sender.follow(base.generation());
                if (reply.sequence() < sequence - 1) {
                    tally.missed(
                            sequence - 1 - reply.sequence(),
                            "%s was acknowledged %d, the server knows %d"
                                    .formatted(id, sequence - 1, reply.sequence()));
                }
                return;
            } catch (ServerUnavailableException away) {
                // For longer than a client retries.
            } catch (ProblemException taken) {
                if (!taken.problem().is(ProblemKind.WORKER_EXISTS)) {
                    throw taken;
                }
                // An earlier try arrived, and its answer was lost.
                pull();
                return;
            }
        }
    }

    private void pull() throws IOException {
        base = ((Pulled) client.pull()).version();
        sender.follow(base.generation());
    }

    private void push() throws IOException {
        sequence++;
        prepare(SoakedModel.gradient(desk));
        while (true) {
            PushResult result;
            try {
                result = client.push(metadata(sequence, base), sender, true);
            } catch (ServerUnavailableException away) {
                continue;
            }
            if (result instanceof PushResult.Accepted accepted) {
                acknowledged(accepted);
                return;
            } else if (result instanceof PushResult.UnknownWorker) {
                register();
            } else if (result instanceof PushResult.Stale) {
                pull();
                prepare(SoakedModel.gradient(desk));
            } else {
                throw new IllegalStateException("%s: push %d was answered %s".formatted(id, sequence, result));
            }
        }
    }

    private void prepare(float[] gradient) throws IOException {
        try {
            sender.prepare(List.of(base), gradient);
        } catch (EncodingException unfit) {
            throw new IOException(unfit);
        }
    }

    private void acknowledged(PushResult.Accepted accepted) {
        long told = tally.acknowledged(desk);
        base = new ParameterVersion(base.generation(), accepted.version());
        accepted.pulled().ifPresent(pulled -> {
            base = pulled.version();
            long served = SoakedModel.count(pulled.parameters().toFloats(SoakedModel.LAYOUT), desk);
            tally.counted(desk, told, served, "in version %d".formatted(base.version()));
        });
    }

    private GradientMetadata metadata(long number, ParameterVersion on) {
        return new GradientMetadata(id, number, on.generation(), on.version(), 1, 1.0);
    }

    private void poison(Poison poison) throws IOException {
        GradientMetadata next = metadata(sequence + 1, base);
        PushResult result;
        try {
            result = client.push(poison.metadata(next), poison.layout(), poison.values(), false);
        } catch (ServerUnavailableException away) {
            return;
        } catch (ProblemException refused) {
            tally.refusedPoison();
            return;
        }
        if (result instanceof PushResult.Accepted) {
            tally.failed("%s sent %s, which was answered %s".formatted(id, poison.name(), result));
        } else {
            tally.refusedPoison();
        }
    }

    private void leave() throws IOException {
        try {
            Object unused = client.unregister(id);
        } catch (ServerUnavailableException away) {
            // Then its lease expires.
        } catch (ProblemException unknown) {
            if (!unknown.problem().is(ProblemKind.UNKNOWN_WORKER)) {
                throw unknown;
            }
        }
    }

    /** Sends a push that nobody waits for: it may count or not. It counts at another place than the others. */
    private void vanishInAPush() {
        PsClient hasty = new PsClient(client.address(), HASTY).as(id);
        tally.abandoned(desk);
        try {
            Object unused = hasty.push(
                    metadata(sequence + 1, base), SoakedModel.LAYOUT, SoakedModel.gradient(desks + desk), false);
        } catch (IOException unanswered) {
            // As intended.
        } finally {
            hasty.closeIdle();
        }
    }
}
