package org.fleetgrad.benchmarks.link;

/**
 * Says how long bytes must wait so that no more pass than a rate allows. An idle bucket fills up to its depth and no
 * further, so that a pause is not made up for by more than one burst. Time is given, never asked for. Not safe from
 * several threads.
 */
final class TokenBucket {

    private static final double NANOS_IN_SECOND = 1e9;

    private final double bytesANano;
    private final double depth;
    private double tokens;
    private long filledAt;

    /**
     * Begins full.
     *
     * @param bytesASecond rate
     * @param depth        longest burst in bytes
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

    /** Takes the tokens of as many bytes, in debt where there are too few, and returns the nanoseconds until it is paid. */
    long take(int bytes, long nowNanos) {
        tokens = Math.min(depth, tokens + (nowNanos - filledAt) * bytesANano) - bytes;
        filledAt = nowNanos;
        return tokens >= 0 ? 0 : (long) Math.ceil(-tokens / bytesANano);
    }
}
