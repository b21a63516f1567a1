package org.fleetgrad.benchmarks.modes;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.benchmarks.process.DirectInvocation;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Programs.Worker;

/**
 * Worker processes that are reused by the following cells. If workers are killed, the pool has one more than work at a
 * time: the spare replaces a killed worker at once, and a new spare starts while the others train.
 */
final class WorkerPool implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Programs programs;
    private final ExecutorService starters = Executors.newCachedThreadPool();
    private final BlockingQueue<Worker> ready = new LinkedBlockingQueue<>();
    private final List<CompletableFuture<Void>> starting = new ArrayList<>();
    private int alive;

    WorkerPool(Programs programs) {
        this.programs = programs;
    }

    /** Waits until {@code count} workers are ready and none is starting. */
    void prepare(int count) {
        while (alive() < count) {
            start();
        }
        List<CompletableFuture<Void>> pending;
        synchronized (this) {
            pending = List.copyOf(starting);
            starting.clear();
        }
        pending.forEach(CompletableFuture::join);
    }

    private synchronized int alive() {
        return alive;
    }

    private synchronized void start() {
        alive++;
        starting.add(CompletableFuture.runAsync(
                () -> {
                    try {
                        Worker worker = programs.startWorker();
                        DirectInvocation.init(worker);
                        ready.add(worker);
                    } catch (IOException failed) {
                        throw new CompletionException(failed);
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                },
                starters));
    }

    /** Takes a worker; waits if one is starting. */
    Worker take() throws InterruptedException {
        Worker worker = ready.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (worker == null) {
            throw new IllegalStateException("no worker came up within " + PATIENCE);
        }
        return worker;
    }

    void giveBack(Worker worker) {
        ready.add(worker);
    }

    /** Starts a worker in the place of one that was killed. */
    void replace(Worker killed) throws InterruptedException {
        Programs.kill(killed.process());
        synchronized (this) {
            alive--;
        }
        start();
    }

    @Override
    public void close() {
        starters.shutdownNow();
    }
}
