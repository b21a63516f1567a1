package org.fleetgrad.inference.shadow;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The one thread of the shadow. It is started on demand, and ends after an idle time. No {@code Executor}, since Spring Boot would take it for
 * the one that its own tasks run in.
 */
public final class ShadowThread implements AutoCloseable {

    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor one = new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
                Thread thread = new Thread(task, "shadow");
                thread.setDaemon(true);
                return thread;
            },
            // After it is closed, while the last answers are written.
            new ThreadPoolExecutor.DiscardPolicy());

    /** Makes it; no thread is started yet. */
    public ShadowThread() {
        one.allowCoreThreadTimeOut(true);
    }

    /** Runs a task in the thread, after those before it. */
    public void execute(Runnable task) {
        one.execute(task);
    }

    @Override
    public void close() {
        one.shutdown();
    }
}
