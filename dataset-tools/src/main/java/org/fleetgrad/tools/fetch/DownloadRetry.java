package org.fleetgrad.tools.fetch;

import java.time.Duration;
import org.fleetgrad.files.retry.Backoff;
import org.fleetgrad.files.retry.Sleeper;

/**
 * How often a download is attempted, and the pause between attempts, which doubles each time.
 *
 * @param attempts number of attempts, at least 1
 * @param pause    before the second attempt, longer than 0
 * @param sleeper  waits for the pause
 */
public record DownloadRetry(int attempts, Duration pause, Sleeper sleeper) {

    /** Five attempts within about eight seconds. */
    public static final DownloadRetry DEFAULT = new DownloadRetry(5, Duration.ofMillis(500), Sleeper.THREAD);

    private static final int MOST_GROWTH = 1024;

    /** Checks both. */
    public DownloadRetry {
        if (attempts < 1) {
            throw new IllegalArgumentException("at least 1 attempt is needed, not " + attempts);
        }
        if (pause.isNegative() || pause.isZero()) {
            throw new IllegalArgumentException("the pause between attempts must be longer than 0, not " + pause);
        }
    }

    Backoff backoff() {
        return new Backoff(pause, pause.multipliedBy(MOST_GROWTH), 2);
    }
}
