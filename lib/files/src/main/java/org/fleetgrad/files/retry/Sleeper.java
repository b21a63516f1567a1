package org.fleetgrad.files.retry;

import java.time.Duration;

/** Waits; tests move a clock instead. */
@FunctionalInterface
public interface Sleeper {

    /** Sleeps in this thread. */
    Sleeper THREAD = duration -> Thread.sleep(duration.toMillis(), duration.toNanosPart() % 1_000_000);

    /** Returns after this time. */
    void sleep(Duration duration) throws InterruptedException;
}
