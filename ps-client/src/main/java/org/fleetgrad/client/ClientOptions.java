package org.fleetgrad.client;

import java.time.Duration;

/**
 * How long a client waits and how much it accepts.
 *
 * @param connectTimeout   longest wait for a connection
 * @param readTimeout      longest silence of the server within an answer, beyond a long poll's own wait
 * @param retryFor         how long a call is repeated while the server is away or answers 503; zero: never
 * @param maxResponseBytes largest answer that is read into memory
 */
public record ClientOptions(Duration connectTimeout, Duration readTimeout, Duration retryFor, long maxResponseBytes) {

    /** 5 s to connect, 30 s of silence, 60 s of retries, answers to 2 GiB. */
    public static final ClientOptions DEFAULT =
            new ClientOptions(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(60), Integer.MAX_VALUE);

    /** Checks that times are not negative and the size is positive. */
    public ClientOptions {
        if (connectTimeout.isNegative() || readTimeout.isNegative() || retryFor.isNegative() || maxResponseBytes <= 0) {
            throw new IllegalArgumentException(
                    "connectTimeout %s, readTimeout %s and retryFor %s must not be negative, and maxResponseBytes %d must be positive"
                            .formatted(connectTimeout, readTimeout, retryFor, maxResponseBytes));
        }
    }

    /** Returns these options with another time for retries. */
    public ClientOptions withRetryFor(Duration duration) {
        return new ClientOptions(connectTimeout, readTimeout, duration, maxResponseBytes);
    }
}
