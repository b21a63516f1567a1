package org.fleetgrad.worker.action;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The thread that handles the requests of an action container, one at a time, and how it stops. Thread-safe. */
public final class ActionThread implements Executor {

    /** Time for the last push; a run that takes longer is probably waiting for a server that is unreachable. */
    private static final int WAKE_SECONDS = 1;

    private static final int STOP_SECONDS = 10;

    private final ExecutorService oneAtATime = Executors.newSingleThreadExecutor(work -> new Thread(work, "action"));

    @Override
    public void execute(Runnable work) {
        oneAtATime.execute(work);
    }

    /**
     * Accepts no further request, and waits until the one in progress is answered; logs to {@code err} if that takes too long.
     */
    public void stop(PrintStream err) {
        oneAtATime.shutdown();
        try {
            // The run in progress notices the stop by itself. The HTTP server's own stop delay is slept in full even if
            // the server is idle.
            if (!oneAtATime.awaitTermination(WAKE_SECONDS, TimeUnit.SECONDS)) {
                List<Runnable> unused = oneAtATime.shutdownNow();
                if (!oneAtATime.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                    err.println("the run in progress did not end within %d s".formatted(STOP_SECONDS));
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
