package org.fleetgrad.benchmarks.link;

/**
 * Computes how long bytes must wait so that a rate is not exceeded. An idle bucket fills up to its depth only, so that
 * after a pause at most one burst passes. The caller passes the time. Not thread-safe.
 */
final class TokenBucket {

    private static final double NANOS_IN_SECOND = 1e9;

    private final double bytesANano;
    private final double depth;
    private double tokens;
    private long filledAt;

    /**
     * Makes a full bucket.
     *
     * @param bytesASecond the rate
     * @param depth        the longest burst, in bytes
     */
    TokenBucket(double bytesASecond, double depth, long nowNanos) {
        if (!(bytesASecond > 0) || !(depth > 0)) {
            throw new IllegalArgumentException(
                    "rate and depth must be above 0; they are %s bytes/s and %s bytes".formatted(bytesASecond, depth));
        }
        this.bytesANano = bytesASecond / NANOS_IN_SECOND;
        this.depth = depth;
        this.tokens = depth;
        this.filledAt = nowNanos;
    }

    /**
     * Takes the tokens of {@code bytes} bytes and returns the nanoseconds to wait; if there are too few tokens, the
     * bucket goes into debt until then.
     */
    long take(int bytes, long nowNanos) {
        tokens = Math.min(depth, tokens + (nowNanos - filledAt) * bytesANano) - bytes;
        filledAt = nowNanos;
        return tokens >= 0 ? 0 : (long) Math.ceil(-tokens / bytesANano);
    }
}
