package org.fleetgrad.runs.invoker;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import org.fleetgrad.runs.docker.ContainerGroup;
import org.fleetgrad.runs.docker.Docker;
import org.fleetgrad.runs.docker.StartingContainer;
import org.fleetgrad.runs.start.StartWait;
import org.fleetgrad.runs.start.StartWatch;
import org.jspecify.annotations.Nullable;

/**
 * Invokes a worker in a container, as OpenWhisk does. The container is created for the first activation and reused for the
 * next ones. It is killed if an activation exceeds its time limit. If it no longer exists, a new one replaces it.
 */
public final class ContainerInvoker implements Invoker {

    private static final int PORT = 8080;

    private final String name;
    private final Docker docker;
    private final ContainerGroup containers;
    private final Docker.Container container;
    private final StartWatch watch;
    private final Duration limit;
    private final Map<String, Object> value;
    private @Nullable Ready ready;

    /** A container that has been initialized. */
    private record Ready(String id, ActionClient action) {}

    /**
     * @param containers the group that starts and removes the container
     * @param watch      waits for the container
     * @param limit      time limit of an activation, without its initialization
     * @param value      parameters of every activation
     */
    public ContainerInvoker(
            String name,
            Docker docker,
            ContainerGroup containers,
            Docker.Container container,
            StartWatch watch,
            Duration limit,
            Map<String, Object> value) {
        this.name = name;
        this.docker = docker;
        this.containers = containers;
        this.container = container;
        this.watch = watch;
        this.limit = limit;
        this.value = value;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ActivationOutcome invoke(String worker) throws IOException, InterruptedException {
        Ready used = ready;
        boolean isCold = used == null;
        double initialization = 0;
        if (used == null) {
            String id = containers.start(container);
            long begin = System.nanoTime();
            try {
                used = initialized(id);
            } catch (EndedContainerException ended) {
                return new ActivationOutcome.Killed(
                        String.valueOf(ended.getMessage()), new ActivationOutcome.Course("", true, seconds(begin)));
            }
            ready = used;
            initialization = seconds(begin);
        }
        return invoke(used, ActivationParameters.as(worker, value), isCold, initialization);
    }

    private ActivationOutcome invoke(Ready used, Map<String, Object> parameters, boolean isCold, double initialization)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        try {
            OptionalLong deadline = OptionalLong.of(System.currentTimeMillis() + limit.toMillis());
            ActivationOutcome end = used.action().run(parameters, deadline, limit, isCold, initialization);
            if (end instanceof ActivationOutcome.Failed) {
                // OpenWhisk would keep the container after an application error, but its state is unknown.
                drop(used.id());
            }
            return end;
        } catch (HttpTimeoutException overdue) {
            drop(used.id());
            return new ActivationOutcome.Killed(
                    "%s was killed: it exceeded its time limit of %d s".formatted(name, limit.toSeconds()),
                    new ActivationOutcome.Course("", isCold, initialization + seconds(begin)));
        } catch (IOException gone) {
            String how = docker.end(used.id());
            drop(used.id());
            return new ActivationOutcome.Killed(
                    "the container of %s ended in the middle of an activation (%s)".formatted(name, how),
                    new ActivationOutcome.Course("", isCold, initialization + seconds(begin)));
        }
    }

    private static double seconds(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    private Ready initialized(String id) throws IOException, InterruptedException {
        try {
            ActionClient action =
                    new ActionClient(name, URI.create("http://%s:%d".formatted(docker.addressOf(id), PORT)));
            awaitInit(id, action);
            return new Ready(id, action);
        } catch (IOException failed) {
            drop(id);
            throw failed;
        }
    }

    private void awaitInit(String id, ActionClient action) throws IOException, InterruptedException {
        StartWait wait = watch.begin(new StartingContainer(name, docker, id), "listen on port %d".formatted(PORT));
        while (true) {
            try {
                action.init();
                return;
            } catch (IOException notYet) {
                if (!docker.isRunning(id)) {
                    String words = docker.lastWords(id);
                    throw new EndedContainerException("the container of %s ended (%s) before it listened; %s"
                            .formatted(
                                    name,
                                    docker.end(id),
                                    words.isBlank() ? "it printed nothing" : "its last output:%n%s".formatted(words)));
                }
                wait.pause();
            }
        }
    }

    /** A container ended before it listened. */
    private static final class EndedContainerException extends IOException {

        private static final long serialVersionUID = 1L;

        EndedContainerException(String message) {
            super(message);
        }
    }

    @Override
    public void release() throws IOException, InterruptedException {
        Ready kept = ready;
        if (kept != null) {
            drop(kept.id());
        }
    }

    private void drop(String id) throws IOException, InterruptedException {
        ready = null;
        containers.remove(id);
    }
}
