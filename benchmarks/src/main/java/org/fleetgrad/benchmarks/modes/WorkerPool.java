package org.fleetgrad.benchmarks.modes;

import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.benchmarks.process.DirectInvocation;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Programs.Running;

/**
 * Worker processes that are reused by the following cells. If workers are killed, the pool has one more than work at a
 * time: the spare replaces a killed worker at once, and a new spare starts while the others train.
 */
final class WorkerPool implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Programs programs;
    private final ExecutorService starters = Executors.newCachedThreadPool();
    private final BlockingQueue<Running> ready = new LinkedBlockingQueue<>();
    private final Queue<Future<Boolean>> starting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger alive = new AtomicInteger();

    WorkerPool(Programs programs) {
        this.programs = programs;
    }

    /** Waits until {@code count} workers are ready and none is starting. */
    void prepare(int count) throws ExecutionException, InterruptedException {
        while (alive.get() < count) {
            start();
        }
        for (Future<Boolean> start = starting.poll(); start != null; start = starting.poll()) {
            start.get();
        }
    }

    private void start() {
        alive.incrementAndGet();
        starting.add(starters.submit(() -> {
            Running worker = programs.startWorker(Map.of());
            DirectInvocation.init(worker);
            return ready.add(worker);
        }));
    }

    /** Takes a worker; waits if one is starting. */
    Running take() throws InterruptedException {
        Running worker = ready.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (worker == null) {
            throw new IllegalStateException("no worker came up within " + PATIENCE);
        }
        return worker;
    }

    void giveBack(Running worker) {
        ready.add(worker);
    }

    /** Starts a worker in the place of one that was killed. */
    void replace(Running killed) throws InterruptedException {
        killed.process().destroyForcibly().waitFor();
        alive.decrementAndGet();
        start();
    }

    @Override
    public void close() {
        starters.shutdownNow();
    }
}
