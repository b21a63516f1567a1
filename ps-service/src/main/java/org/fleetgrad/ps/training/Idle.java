package org.fleetgrad.ps.training;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** How the applier's own thread waits while the queue is empty. */
interface Idle {

    /** Waits in the applier's own thread, until it is woken or it is time to poll again. */
    void await() throws InterruptedException;

    /** Wakes the applier's own thread; if it is not waiting, its next wait ends at once. */
    void wake(Thread own);

    /** Parks the thread, and also polls the queue a few times a second. */
    Idle PARKED = new Idle() {

        private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

        @Override
        public void await() {
            LockSupport.parkNanos(this, POLL_NANOS);
        }

        @Override
        public void wake(Thread own) {
            LockSupport.unpark(own);
        }
    };
}
