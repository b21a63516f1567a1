package org.fleetgrad.following;

import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A daemon thread that runs rounds with pauses between them until it is closed. */
public final class Loop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
    private static final Duration PAUSE_AFTER_BUG = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(200);

    private final Thread thread;
    private volatile boolean isClosed;

    /**
     * Makes a thread.
     *
     * @param name       of the thread
     * @param round      one round; returns the pause before the next
     * @param afterwards runs on the same thread after the last round
     */
    public Loop(String name, Supplier<Duration> round, Runnable afterwards) {
        this.thread = new Thread(() -> run(round, afterwards), name);
        thread.setDaemon(true);
    }

    /** Starts the thread; once. */
    public void start() {
        thread.start();
    }

    private void run(Supplier<Duration> round, Runnable afterwards) {
        try {
            while (!isClosed) {
                Thread.sleep(runOnce(round).toMillis());
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } finally {
            afterwards.run();
        }
    }

    private Duration runOnce(Supplier<Duration> round) {
        try {
            return round.get();
        } catch (RuntimeException bug) {
            // A bug in one round must not prevent later rounds.
            LOG.error("{} failed", thread.getName(), bug);
            return PAUSE_AFTER_BUG;
        }
    }

    /**
     * Starts no further round. Does not wait for a running round, which may hang on the network; the thread is a
     * daemon.
     */
    @Override
    public void close() {
        isClosed = true;
        thread.interrupt();
        try {
            thread.join(CLOSE_TIMEOUT.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
