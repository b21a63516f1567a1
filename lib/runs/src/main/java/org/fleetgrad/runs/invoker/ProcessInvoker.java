package org.fleetgrad.runs.invoker;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.fleetgrad.runs.start.StartWait;
import org.fleetgrad.runs.start.StartWatch;
import org.jspecify.annotations.Nullable;

/**
 * Invokes a worker that is a process of this machine. The process serves one activation after the other, without deadlines;
 * if it dies, another replaces it.
 */
public final class ProcessInvoker implements Invoker {

    private static final Duration PATIENCE = Duration.ofHours(1);
    /** A connection may end this long before its process does. */
    private static final Duration END_PATIENCE = Duration.ofSeconds(1);

    private final String name;
    private final ActionHost host;
    private final StartWatch watch;
    private final Map<String, Object> value;
    private boolean isStarted;
    /** Set once the worker is initialized. */
    private @Nullable ActionClient action;

    private boolean isCold;

    /**
     * @param watch waits for the process
     * @param value parameters of every activation
     */
    public ProcessInvoker(String name, ActionHost host, StartWatch watch, Map<String, Object> value) {
        this.name = name;
        this.host = host;
        this.watch = watch;
        this.value = value;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void start() throws IOException {
        host.start();
        isStarted = true;
        action = null;
        isCold = true;
    }

    @Override
    public void await() throws IOException, InterruptedException {
        ActionClient unused = ready();
    }

    private ActionClient ready() throws IOException, InterruptedException {
        if (!isStarted) {
            start();
        }
        ActionClient ready = action;
        if (ready != null) {
            return ready;
        }
        StartWait wait = watch.begin(host.starting(), "take activations");
        while (true) {
            try {
                ready = initialized();
                action = ready;
                return ready;
            } catch (IOException notYet) {
                if (host.hasEnded(Duration.ZERO)) {
                    throw new IOException(host.describeEnd());
                }
                wait.pause();
            }
        }
    }

    private ActionClient initialized() throws IOException, InterruptedException {
        URI address = host.address().orElseThrow(() -> new IOException("it does not listen yet"));
        ActionClient client = new ActionClient(name, address);
        client.init();
        return client;
    }

    @Override
    public ActivationOutcome invoke(String worker) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        try {
            ActionClient ready = ready();
            boolean isFirst = isCold;
            isCold = false;
            return ready.run(ActivationParameters.as(worker, value), OptionalLong.empty(), PATIENCE, isFirst, 0);
        } catch (IOException failed) {
            if (!host.hasEnded(END_PATIENCE)) {
                throw failed;
            }
            boolean wasCold = isCold;
            forget();
            return new ActivationOutcome.Killed(
                    host.describeEnd(), new ActivationOutcome.Course("", wasCold, (System.nanoTime() - begin) / 1e9));
        }
    }

    @Override
    public Optional<URI> serving() throws IOException {
        return host.serving();
    }

    @Override
    public void release() {
        host.end();
        forget();
    }

    /** The next activation starts another worker. */
    private void forget() {
        isStarted = false;
        action = null;
    }
}
