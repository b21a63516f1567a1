package org.fleetgrad.load;

import java.util.concurrent.atomic.AtomicLong;

/** A clock that only a test or a wait advances. */
final class ManualLoadClock implements LoadClock {

    private final AtomicLong now = new AtomicLong();

    void advance(long nanos) {
        now.addAndGet(nanos);
    }

    @Override
    public long nanos() {
        return now.get();
    }

    @Override
    public void awaitUntil(long nanos) {
        now.accumulateAndGet(nanos, Math::max);
    }
}
