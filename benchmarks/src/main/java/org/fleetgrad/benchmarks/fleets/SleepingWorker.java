package org.fleetgrad.benchmarks.fleets;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.GradientSender;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.protocol.encoding.EncodingException;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * A worker that sleeps instead of computing, so that many of them keep their pace on few processors. It pushes a gradient after each
 * step and continues with the parameters of the answer, as a real one does. For one thread.
 */
final class SleepingWorker {

    private static final float SMALL = 1e-6f;
    private static final int BATCH = 32;
    private static final Duration LONG_POLL = Duration.ofSeconds(20);

    private final String id;
    private final ParameterServers server;
    private final GradientSender sender;
    private final float[] gradient;
    private Pulled base;
    private long sequence;
    private long elapsed;
    private long steps;

    /** Registers, and pulls the parameters. */
    SleepingWorker(URI address, TensorLayout layout, String encoding) throws IOException {
        PsClient client = new PsClient(address, ClientOptions.DEFAULT);
        this.id = client.register(new RegisterWorkerRequest(null, "sleeping", null, "cpu"))
                .id();
        this.server = client.as(id).pullingAs(Encodings.parseOfParameters(encoding));
        this.sender = new GradientSender(layout, ParameterState.NONE, FrozenTensors.NONE, Encodings.parse(encoding), 1);
        this.gradient = new float[Math.toIntExact(layout.elementCount())];
        Arrays.fill(gradient, SMALL);
        if (!(server.pull() instanceof Pulled pulled)) {
            throw new IllegalStateException("the server has no parameters");
        }
        this.base = pulled;
        sender.follow(base.version().generation());
    }

    /** Sleeps, pushes and takes the new parameters; remembers how long the exchange took. */
    void step(Duration compute) throws IOException, EncodingException, InterruptedException {
        TimeUnit.NANOSECONDS.sleep(compute.toNanos());
        long begin = System.nanoTime();
        sender.prepare(base.parts(), gradient);
        GradientMetadata metadata = new GradientMetadata(
                id, ++sequence, base.version().generation(), base.version().version(), BATCH, 1.0);
        PushResult result = server.push(metadata, base, sender, true);
        if (!(result instanceof PushResult.Accepted accepted)) {
            throw new IllegalStateException("the server answered " + result);
        }
        Optional<Pulled> pulled = accepted.pulled();
        base = pulled.isPresent() ? pulled.get() : newer();
        elapsed += System.nanoTime() - begin;
        steps++;
    }

    private Pulled newer() throws IOException {
        while (true) {
            PullResult result = server.pullOtherThan(base.version(), LONG_POLL);
            if (result instanceof Pulled pulled) {
                return pulled;
            }
        }
    }

    /** Says that it is gone, so that synchronous steps do not wait for it. */
    void leave() throws IOException {
        server.unregister(id);
    }

    long steps() {
        return steps;
    }

    /** Returns the mean milliseconds of an exchange. */
    double exchangeMillis() {
        return elapsed / 1e6 / steps;
    }
}
