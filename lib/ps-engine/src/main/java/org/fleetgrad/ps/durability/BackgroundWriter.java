package org.fleetgrad.ps.durability;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Writes one checkpoint at a time, in its own thread. */
final class BackgroundWriter implements AutoCloseable {

    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread writer = new Thread(work, "checkpoint");
        writer.setDaemon(true);
        return writer;
    });
    private Future<?> last = java.util.concurrent.CompletableFuture.completedFuture(null);

    /** Starts a write; the previous one must have ended. */
    void run(Runnable write) {
        last = thread.submit(write);
    }

    boolean isBusy() {
        return !last.isDone();
    }

    /** Returns when no write is running, however often the calling thread is interrupted: two writes must not overlap. */
    void await() {
        boolean isInterrupted = false;
        try {
            while (!isEnded()) {
                isInterrupted = true;
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits; returns false if the wait was interrupted. */
    private boolean isEnded() {
        try {
            last.get();
            return true;
        } catch (java.util.concurrent.ExecutionException bug) {
            throw new IllegalStateException("writing a checkpoint failed", bug.getCause());
        } catch (InterruptedException early) {
            return false;
        }
    }

    @Override
    public void close() {
        await();
        thread.shutdown();
    }
}
