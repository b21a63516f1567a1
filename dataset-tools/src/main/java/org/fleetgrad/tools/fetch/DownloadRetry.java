package org.fleetgrad.tools.fetch;

import java.time.Duration;

/**
 * How often a download is attempted, and the pause between attempts, which doubles each time.
 *
 * @param attempts number of attempts, at least 1
 * @param pause    before the second attempt
 * @param sleeper  waits for the pause
 */
public record DownloadRetry(int attempts, Duration pause, Sleeper sleeper) {

    /** Five attempts within about eight seconds. */
    public static final DownloadRetry DEFAULT =
            new DownloadRetry(5, Duration.ofMillis(500), pause -> Thread.sleep(pause.toMillis()));

    /** Waits; in a test it counts instead. */
    @FunctionalInterface
    public interface Sleeper {

        /** Waits this long. */
        void sleep(Duration pause) throws InterruptedException;
    }

    /** Checks the count. */
    public DownloadRetry {
        if (attempts < 1) {
            throw new IllegalArgumentException("at least 1 attempt is needed, not " + attempts);
        }
    }

    void sleepAfter(int attempt) throws InterruptedException {
        sleeper.sleep(pause.multipliedBy(1L << Math.min(attempt - 1, 10)));
    }
}
