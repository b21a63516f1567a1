package org.fleetgrad.access.rate;

/**
 * How often other machines may send requests. Callers on this machine are not limited.
 *
 * @param requestsPerSecond requests that a token may make, in bursts of as many as fit into one second; 0 for no limit
 * @param failuresPerMinute wrong keys and wrong tokens from one address, in bursts of as many as fit into one minute; 0 for
 *     no limit
 */
public record RateLimits(int requestsPerSecond, int failuresPerMinute) {

    /** More requests than a worker of a small model sends, and fewer guesses of a key than any dictionary has. */
    public static final RateLimits DEFAULT = new RateLimits(5_000, 20);

    /** No limits. */
    public static final RateLimits NONE = new RateLimits(0, 0);

    /**
     * Checks the limits.
     *
     * @param prefix of the settings' names, for messages
     */
    public RateLimits checked(String prefix) {
        require(prefix, "requests-per-second", requestsPerSecond);
        require(prefix, "failures-per-minute", failuresPerMinute);
        return this;
    }

    private static void require(String prefix, String name, int value) {
        if (value < 0) {
            throw new IllegalArgumentException(
                    "%s.%s is %d; write a number of 1 or more, or 0 for no limit".formatted(prefix, name, value));
        }
    }
}
