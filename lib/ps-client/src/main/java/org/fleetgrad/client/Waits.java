package org.fleetgrad.client;

import java.util.function.LongSupplier;
import org.fleetgrad.files.retry.Sleeper;

/**
 * How the client of several servers measures time and pauses.
 *
 * @param nanoTime as {@link System#nanoTime}
 * @param sleeper  pauses the calling thread
 */
record Waits(LongSupplier nanoTime, Sleeper sleeper) {

    static final Waits SYSTEM = new Waits(System::nanoTime, Sleeper.THREAD);

    long nanos() {
        return nanoTime.getAsLong();
    }
}
