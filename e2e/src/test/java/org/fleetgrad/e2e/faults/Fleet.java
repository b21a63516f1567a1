package org.fleetgrad.e2e.faults;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Workers under load, which can be held at a point at which all their requests are answered. */
final class Fleet implements AutoCloseable {

    private static final long TIMEOUT_MS = 120_000;

    private final List<Thread> threads = new ArrayList<>();
    private final Tally tally;
    private int running;
    private int standing;
    private boolean isHolding;
    private boolean isOver;
    private boolean isBroken;

    /** The environment of the workers. */
    record Work(
            TrainingSetup setup, Gradients gradients, URI server, HangWatch watch, Acknowledgements acknowledgements) {}

    /** The fleet has failed: a thread that notices ends silently. */
    static final class BrokenException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    Fleet(Tally tally) {
        this.tally = tally;
    }

    /** Starts this many workers. */
    synchronized void start(Work work, int workers, long seed) {
        for (int i = 0; i < workers; i++) {
            LoadWorker worker = new LoadWorker("w" + i, work, this, tally, seed + i);
            Thread thread = new Thread(() -> run(worker), worker.id());
            thread.setDaemon(true);
            threads.add(thread);
            running++;
            thread.start();
        }
    }

    private void run(LoadWorker worker) {
        try {
            worker.run();
        } catch (BrokenException over) {
            // The thread that failed has reported it.
        } catch (Exception | AssertionError failed) {
            tally.failed("worker %s: %s".formatted(worker.id(), failed));
            fail();
        } finally {
            ended();
        }
    }

    private synchronized void ended() {
        running--;
        notifyAll();
    }

    /** Makes all workers end at once. */
    synchronized void fail() {
        isBroken = true;
        isOver = true;
        notifyAll();
    }

    /**
     * Called by a worker when all its requests are answered: waits while the fleet is held; returns whether to
     * continue.
     */
    synchronized boolean mayGoOn() throws InterruptedException {
        standing++;
        notifyAll();
        while (isHolding && !isOver) {
            wait();
        }
        standing--;
        return !isOver;
    }

    /** Returns whether workers should come to the point at which they are held. */
    synchronized boolean isHolding() {
        return isHolding || isOver;
    }

    synchronized void requireWhole() {
        if (isBroken) {
            throw new BrokenException();
        }
    }

    /** Returns when all requests are answered and no worker sends more. */
    synchronized void hold() throws InterruptedException {
        isHolding = true;
        awaitThat("be held", () -> standing == running);
        requireWhole();
    }

    synchronized void release() {
        isHolding = false;
        notifyAll();
    }

    /** Returns when all workers have unregistered. */
    synchronized void finish() throws InterruptedException {
        isOver = true;
        notifyAll();
        awaitThat("end", () -> running == 0);
        requireWhole();
    }

    private void awaitThat(String what, java.util.function.BooleanSupplier condition) throws InterruptedException {
        long end = System.currentTimeMillis() + TIMEOUT_MS;
        while (!condition.getAsBoolean() && !isBroken) {
            long left = end - System.currentTimeMillis();
            if (left <= 0) {
                tally.hung("the workers did not %s within %d ms: %d of %d stand"
                        .formatted(what, TIMEOUT_MS, standing, running));
                fail();
                return;
            }
            wait(left);
        }
    }

    @Override
    public void close() {
        fail();
    }
}
