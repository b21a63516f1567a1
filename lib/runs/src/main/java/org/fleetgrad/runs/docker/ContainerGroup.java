package org.fleetgrad.runs.docker;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The containers of a run. They are removed however it ends: by {@link #close}, by Ctrl-C or by SIGTERM. Thread-safe. */
public final class ContainerGroup implements AutoCloseable {

    private final Docker docker;
    private final Set<String> ids = ConcurrentHashMap.newKeySet();
    private final Thread hook = new Thread(this::removeAll, "remove-containers");
    private boolean isClosed;

    public ContainerGroup(Docker docker) {
        this.docker = docker;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Starts a container and returns its id. */
    public String start(Docker.Container container) throws IOException, InterruptedException {
        String id = docker.run(container);
        synchronized (this) {
            if (!isClosed) {
                ids.add(id);
                return id;
            }
        }
        docker.remove(id);
        throw new IOException("the run is ending: no more containers are started");
    }

    /** Kills a container, whatever its state, and removes it. */
    public void remove(String id) throws IOException, InterruptedException {
        docker.remove(id);
        ids.remove(id);
    }

    private void removeAll() {
        List<String> left;
        synchronized (this) {
            isClosed = true;
            left = List.copyOf(ids);
        }
        try {
            for (String id : left) {
                remove(id);
            }
        } catch (IOException engineIsGone) {
            // Its containers are removed as well.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        removeAll();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The JVM is shutting down, and the hook is running.
        }
    }
}
