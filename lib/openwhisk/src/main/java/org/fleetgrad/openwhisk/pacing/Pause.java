package org.fleetgrad.openwhisk.pacing;

import java.time.Duration;

/** Waits; tests replace it by a simulated clock. */
@FunctionalInterface
public interface Pause {

    /** Returns after this time. */
    void sleep(Duration duration) throws InterruptedException;

    /** Returns a pause that really sleeps. */
    static Pause real() {
        return duration -> Thread.sleep(duration.toMillis(), duration.toNanosPart() % 1_000_000);
    }
}
