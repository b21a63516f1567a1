package org.fleetgrad.e2e.hostile;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * Workers that push LeNet-5 gradients one after another, whatever else happens. Each gradient is 1 at the worker's own
 * place and 0 elsewhere, so the parameters say how many of them count, to the bit.
 */
final class HonestWorkers implements AutoCloseable {

    static final int COUNT = 4;

    /** A power of two: a multiple of it is exact. */
    static final float LEARNING_RATE = 1f / 1024;

    private static final NetworkDefinition LENET = Networks.usual("lenet5");
    static final TensorLayout LAYOUT = LENET.spec().layout();

    private final PsClient client;
    private final Tally tally;
    private final List<Thread> threads = new ArrayList<>();
    private final long[] acknowledged = new long[COUNT];
    private long slowestMs;
    private boolean isOver;

    HonestWorkers(URI server, Credentials credentials, Tally tally) {
        this.client = new PsClient(server, ClientOptions.DEFAULT).withCredentials(credentials);
        this.tally = tally;
    }

    /** Returns the tensors of a set, or of a gradient. */
    static float[] values() {
        return new float[Math.toIntExact(LAYOUT.elementCount())];
    }

    /** Puts parameters that are all 0, and starts the workers. */
    void start() throws IOException {
        client.putInitial(TensorSet.ofFloats(LAYOUT, values(), LENET.spec().metadata()));
        for (int i = 0; i < COUNT; i++) {
            int index = i;
            Thread thread = new Thread(() -> work(index), name(i));
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    static String name(int index) {
        return "honest-" + index;
    }

    private void work(int index) {
        float[] gradient = values();
        gradient[index] = 1;
        String name = name(index);
        try {
            PsClient own = client.as(name);
            ParameterVersion base = register(name);
            for (long sequence = 1; !isOver(); sequence++) {
                long begin = System.nanoTime();
                base = push(own, name, sequence, base, gradient);
                pushed(index, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
            }
        } catch (IOException | RuntimeException failed) {
            tally.failed("%s failed: %s".formatted(name, failed));
        }
    }

    private ParameterVersion register(String name) throws IOException {
        while (true) {
            try {
                var reply = client.register(new RegisterWorkerRequest(name, "honest", null, "none"));
                return new ParameterVersion(reply.generation(), reply.version());
            } catch (ProblemException refused) {
                if (refused.problem().rule().equals("worker-exists")) {
                    var newest = client.version();
                    return new ParameterVersion(newest.generation(), newest.version());
                }
                if (isOver()) {
                    throw refused;
                }
            }
        }
    }

    /** Pushes until the server says that it counts. */
    private ParameterVersion push(PsClient own, String name, long sequence, ParameterVersion first, float[] gradient)
            throws IOException {
        ParameterVersion base = first;
        while (true) {
            GradientMetadata metadata = new GradientMetadata(name, sequence, base.generation(), base.version(), 1, 1.0);
            try {
                PushResult result = own.push(metadata, LAYOUT, gradient, false);
                if (result instanceof PushResult.Applied applied) {
                    return new ParameterVersion(base.generation(), applied.version());
                } else if (result instanceof PushResult.Duplicate duplicate) {
                    return new ParameterVersion(base.generation(), duplicate.version());
                } else if (result instanceof PushResult.UnknownWorker || result instanceof PushResult.Stale) {
                    base = register(name);
                } else {
                    throw new IllegalStateException("push %d was answered %s".formatted(sequence, result));
                }
            } catch (IOException notTaken) {
                // The server is busy, or was away: the same gradient again, under its number.
                if (isOver()) {
                    throw notTaken;
                }
            }
        }
    }

    private synchronized void pushed(int index, long millis) {
        acknowledged[index]++;
        slowestMs = Math.max(slowestMs, millis);
        tally.pushed(millis);
        notifyAll();
    }

    private synchronized boolean isOver() {
        return isOver;
    }

    /** Returns the gradients that count by what the server said. */
    synchronized long acknowledged() {
        long sum = 0;
        for (long each : acknowledged) {
            sum += each;
        }
        return sum;
    }

    /** Returns the slowest push since the last call, in milliseconds. */
    synchronized long takeSlowestMs() {
        long taken = slowestMs;
        slowestMs = 0;
        return taken;
    }

    /** Lets the workers train for a while. */
    synchronized void goOnFor(long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = millis; left > 0; left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
            wait(left);
        }
    }

    /** Waits until each worker has pushed once more; tells whether it did within a time. */
    synchronized boolean goOn(long timeoutMs) throws InterruptedException {
        long[] before = acknowledged.clone();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        for (int i = 0; i < COUNT; i++) {
            while (acknowledged[i] == before[i]) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
        }
        return true;
    }

    /** Ends the workers, once their last gradients are answered. */
    void finish() throws InterruptedException {
        synchronized (this) {
            isOver = true;
        }
        for (Thread thread : threads) {
            thread.join(TimeUnit.MINUTES.toMillis(1));
            if (thread.isAlive()) {
                tally.failed(thread.getName() + " hangs");
            }
        }
    }

    /** Compares what was acknowledged with what the served parameters say. */
    synchronized void compare() throws IOException {
        float[] served = ((Pulled) client.pull()).parameters().toFloats(LAYOUT);
        for (int i = 0; i < COUNT; i++) {
            tally.counted(name(i), acknowledged[i], Math.round(-served[i] / (double) LEARNING_RATE));
        }
        for (float value : served) {
            if (!Float.isFinite(value)) {
                tally.failed("a served parameter is " + value);
                break;
            }
        }
    }

    @Override
    public synchronized void close() {
        isOver = true;
    }
}
