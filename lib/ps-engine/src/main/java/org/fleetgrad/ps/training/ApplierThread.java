package org.fleetgrad.ps.training;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.fleetgrad.ps.training.SubmissionQueue.Turns;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The applier in a thread of its own, which ends with the run. */
final class ApplierThread implements Applier {

    private static final Logger LOG = LoggerFactory.getLogger(ApplierThread.class);
    private static final long CLOSE_TIMEOUT_MS = 120_000;

    private final Idle idle;
    private final Thread thread = new Thread(this::run, "applier");
    /** Set before the thread starts. */
    private @Nullable Turns turns;

    ApplierThread(Idle idle) {
        this.idle = idle;
        thread.setDaemon(true);
    }

    /** How the thread waits while there is nothing to do. */
    interface Idle {

        /** Waits in the applier's own thread, until it is woken or it is time to poll again. */
        void await() throws InterruptedException;

        /** Wakes the applier's own thread; if it is not waiting, its next wait ends at once. */
        void wake(Thread applier);

        /** Parks the thread, and also polls the queue a few times a second. */
        Idle PARKED = new Idle() {

            private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

            @Override
            public void await() {
                LockSupport.parkNanos(this, POLL_NANOS);
            }

            @Override
            public void wake(Thread applier) {
                LockSupport.unpark(applier);
            }
        };
    }

    @Override
    public void start(Turns ofQueue) {
        turns = ofQueue;
        thread.start();
    }

    private void run() {
        run(Objects.requireNonNull(turns));
    }

    private void run(Turns mine) {
        if (!mine.recover()) {
            return;
        }
        boolean isComplete = false;
        try {
            while (!mine.isClosing() || !mine.isIdle()) {
                await(mine);
                mine.take();
            }
            isComplete = true;
        } catch (InterruptedException stopped) {
            LOG.warn("the applier was stopped in the middle of its work");
        }
        mine.end(isComplete);
    }

    private void await(Turns mine) throws InterruptedException {
        if (mine.isIdle() && !mine.isClosing()) {
            idle.await();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    @Override
    public void wake() {
        idle.wake(thread);
    }

    @Override
    public void close() {
        idle.wake(thread);
        try {
            thread.join(CLOSE_TIMEOUT_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }
}
