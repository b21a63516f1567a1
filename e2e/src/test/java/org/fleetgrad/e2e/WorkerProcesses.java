package org.fleetgrad.e2e;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fleetgrad.e2e.javakind.JavaRuntimeProcess;
import org.fleetgrad.openwhisk.fake.ContainerHost;
import org.fleetgrad.testing.FreePorts;

/** Processes of the worker, or of the Java runtime, in place of containers: a signal freezes them, as Docker does, or kills them. */
final class WorkerProcesses implements ContainerHost {

    private static final String JAVA_RUNTIME = "fleetgrad/java-runtime:";

    private final Path logs;
    private final Map<String, JarProcess> processes = new ConcurrentHashMap<>();
    private final List<String> events = new CopyOnWriteArrayList<>();

    WorkerProcesses(Path logs) {
        this.logs = logs;
    }

    @Override
    public Container start(String name, String image, int memoryMib, Map<String, String> environment)
            throws IOException {
        int port = FreePorts.next();
        Map<String, String> all = new TreeMap<>(environment);
        all.put("WORKER_PORT", Integer.toString(port));
        all.put("WORKER_ADDRESS", "127.0.0.1");
        Path log = logs.resolve(name + ".log");
        JarProcess process = image.startsWith(JAVA_RUNTIME)
                ? JavaRuntimeProcess.start(log, all)
                : JarProcess.start("worker-action", log, all);
        processes.put(name, process);
        events.add("start " + name);
        return new Container() {
            @Override
            public URI address() {
                return URI.create("http://127.0.0.1:" + port);
            }

            @Override
            public void pause() {
                signal(name, "STOP");
            }

            @Override
            public void resume() {
                signal(name, "CONT");
            }

            @Override
            public void kill() {
                endProcess(name);
            }
        };
    }

    private void signal(String name, String signal) {
        try {
            process(name).signal(signal);
            events.add(signal + " " + name);
        } catch (IOException gone) {
            events.add("gone " + name);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills a process: one that an invoker no longer needs or, for a test, one that is in use. */
    void endProcess(String name) {
        try {
            process(name).kill();
            events.add("kill " + name);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private JarProcess process(String name) {
        JarProcess process = processes.get(name);
        if (process == null) {
            throw new IllegalArgumentException("there is no container " + name);
        }
        return process;
    }

    /** Returns the events, in order. */
    List<String> events() {
        return List.copyOf(events);
    }

    boolean isAnyAlive() {
        return processes.values().stream().anyMatch(JarProcess::isAlive);
    }
}
