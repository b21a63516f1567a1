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

    /** Returns when no write is running. */
    void await() {
        try {
            last.get();
        } catch (java.util.concurrent.ExecutionException bug) {
            throw new IllegalStateException("writing a checkpoint failed", bug.getCause());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        await();
        thread.shutdown();
    }
}
