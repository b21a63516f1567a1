package org.fleetgrad.tools.fetch;

import java.time.Duration;

/**
 * How often, and after which pause, a download is tried again. The pause doubles each time.
 *
 * @param attempts how often to try in all, at least 1
 * @param pause    before the second attempt
 * @param sleeper  what waits
 */
public record Retry(int attempts, Duration pause, Sleeper sleeper) {

    /** Five attempts within about eight seconds. */
    public static final Retry DEFAULT = new Retry(5, Duration.ofMillis(500), pause -> Thread.sleep(pause.toMillis()));

    /** Waits; a test's counts instead. */
    @FunctionalInterface
    public interface Sleeper {

        /** Waits this long. */
        void sleep(Duration pause) throws InterruptedException;
    }

    /** Checks the count. */
    public Retry {
        if (attempts < 1) {
            throw new IllegalArgumentException("at least 1 attempt is needed, not " + attempts);
        }
    }

    void sleepAfter(int attempt) throws InterruptedException {
        sleeper.sleep(pause.multipliedBy(1L << Math.min(attempt - 1, 10)));
    }
}
