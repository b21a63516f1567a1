package org.fleetgrad.openwhisk.pacing;

import java.time.Duration;

/** Lets time pass; tests put a clock here. */
@FunctionalInterface
public interface Pause {

    /** Returns when the time is over. */
    void sleep(Duration duration) throws InterruptedException;

    /** Sleeps. */
    static Pause real() {
        return duration -> Thread.sleep(duration.toMillis(), duration.toNanosPart() % 1_000_000);
    }
}
