package org.fleetgrad.mlflow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A run as MLflow gets it. What is added waits in a bounded queue for a thread of its own, so that no method but {@link #close} ever waits
 * for the server: a server that is away, slow or hostile costs the run nothing, and only MLflow lacks the points that the queue has no
 * room for. Thread-safe.
 */
public final class TrackedRun implements AutoCloseable {

    /** How a run ended, in MLflow's words. */
    public enum Status {
        FINISHED,
        FAILED,
        KILLED
    }

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration PATIENCE_OF_KILLED = Duration.ofSeconds(5);
    private static final long BYTES_A_SECOND = 1 << 20;

    private final Outbox outbox = new Outbox();
    private final Thread thread;
    private final Thread hook = new Thread(() -> end(Status.KILLED), "end-mlflow");
    private volatile boolean isFinished;
    private volatile long attachedBytes;

    private TrackedRun(MlflowServer server, RunDescription about, DeliveryPace pace, Consumer<String> teller) {
        this.thread = new Thread(new Delivery(server, about, outbox, pace, teller), "mlflow");
        thread.setDaemon(true);
    }

    /**
     * Begins a run. The server learns of it as soon as it answers.
     *
     * @param teller receives a line when the server is away, and when it has the run
     */
    public static TrackedRun begin(MlflowServer server, RunDescription about, Consumer<String> teller) {
        return begin(server, about, DeliveryPace.USUAL, teller);
    }

    static TrackedRun begin(MlflowServer server, RunDescription about, DeliveryPace pace, Consumer<String> teller) {
        TrackedRun run = new TrackedRun(server, about, pace, teller);
        Runtime.getRuntime().addShutdownHook(run.hook);
        run.thread.start();
        return run;
    }

    /** Adds points of curves; drops them if too many wait. */
    public void log(List<Metric> metrics) {
        outbox.add(metrics);
    }

    /** Adds parameters, which never change in MLflow. Longer values than MLflow takes are cut. */
    public void describe(Map<String, String> parameters) {
        outbox.describe(parameters);
    }

    /** Adds files that are complete, and from now on counts the run as finished, however it ends. */
    public void finish(List<Path> artifacts) throws IOException {
        long bytes = 0;
        for (Path file : artifacts) {
            bytes += Files.size(file);
        }
        attachedBytes = bytes;
        isFinished = true;
        outbox.attach(artifacts);
    }

    /** Ends the run: waits until the server has everything, at most 20 s and 1 s for each MiB of the artifacts; 5 s if the run has failed. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException isShuttingDown) {
            // Then the hook ends the run.
        }
        end(Status.FAILED);
    }

    private void end(Status unfinished) {
        Duration patience = isFinished ? PATIENCE.plusSeconds(attachedBytes / BYTES_A_SECOND) : PATIENCE_OF_KILLED;
        Status how = isFinished ? Status.FINISHED : unfinished;
        outbox.end(new Outbox.End(how, System.nanoTime() + patience.toNanos()));
        try {
            // The delivery keeps the deadline itself; a stuck one is left behind.
            thread.join(patience.toMillis() + TimeUnit.SECONDS.toMillis(1));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }
}
