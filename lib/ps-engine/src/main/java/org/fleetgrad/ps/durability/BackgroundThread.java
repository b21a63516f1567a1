package org.fleetgrad.ps.durability;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs tasks in a thread of its own. For one caller. */
final class BackgroundThread implements Background {

    private final ExecutorService thread;
    private CompletableFuture<Void> running = CompletableFuture.completedFuture(null);

    BackgroundThread(String name) {
        this.thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        });
    }

    @Override
    public void start(Runnable task) {
        running = CompletableFuture.runAsync(task, thread);
    }

    @Override
    public boolean isIdle() {
        return running.isDone();
    }

    @Override
    public void await() {
        running.join();
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
