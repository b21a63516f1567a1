package org.fleetgrad.cli.invoker;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Invokes a worker that is a process of this machine, and stays one: it has no deadline. One that dies is replaced. */
public final class ProcessInvoker implements Invoker {

    private static final Duration PATIENCE = Duration.ofHours(1);
    private static final Duration START_PATIENCE = Duration.ofSeconds(90);
    /** Between the end of a connection and that of the process behind it. */
    private static final Duration END_PATIENCE = Duration.ofSeconds(1);

    private static final long LOOK_MS = 50;

    private final String name;
    private final ActionHost host;
    private final Map<String, Object> value;
    private @Nullable ActionClient action;
    private boolean isInitialized;
    private boolean isCold;

    public ProcessInvoker(String name, ActionHost host, Map<String, Object> value) {
        this.name = name;
        this.host = host;
        this.value = value;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void start() throws IOException {
        action = new ActionClient(name, host.start());
        isInitialized = false;
        isCold = true;
    }

    @Override
    public void await() throws IOException, InterruptedException {
        ActionClient started = started();
        long end = System.nanoTime() + START_PATIENCE.toNanos();
        while (!isInitialized) {
            try {
                started.init();
                isInitialized = true;
            } catch (IOException notYet) {
                if (host.hasEnded(Duration.ZERO)) {
                    throw new IOException(host.describeEnd());
                }
                if (System.nanoTime() > end) {
                    throw new IOException("%s is not up after %d s: %s"
                            .formatted(name, START_PATIENCE.toSeconds(), notYet.getMessage()));
                }
                Thread.sleep(LOOK_MS);
            }
        }
    }

    private ActionClient started() throws IOException {
        if (action == null) {
            start();
        }
        return Objects.requireNonNull(action);
    }

    @Override
    public ActivationOutcome invoke(String worker) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        try {
            await();
            boolean isFirst = isCold;
            isCold = false;
            return started().run(ActivationParameters.as(worker, value), OptionalLong.empty(), PATIENCE, isFirst, 0);
        } catch (IOException failed) {
            if (!host.hasEnded(END_PATIENCE)) {
                throw failed;
            }
            boolean wasCold = isCold;
            action = null;
            return new ActivationOutcome.Killed(
                    host.describeEnd(), new ActivationOutcome.Course("", wasCold, (System.nanoTime() - begin) / 1e9));
        }
    }

    @Override
    public void release() {
        host.end();
        action = null;
    }
}
