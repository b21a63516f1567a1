package org.fleetgrad.client;

import java.time.Duration;
import java.util.Optional;

/**
 * How long a client waits, how much it accepts, and which certificates it trusts.
 *
 * @param connectTimeout   longest wait for a connection
 * @param readTimeout      longest silence of the server within a response, beyond a long poll's own wait
 * @param retryFor         how long a call is retried while the server is unreachable or answers 429 or 503; zero: never
 * @param maxResponseBytes largest response that is read into memory
 * @param trust            the certificates to trust over https; the JDK's if absent
 */
public record ClientOptions(
        Duration connectTimeout,
        Duration readTimeout,
        Duration retryFor,
        long maxResponseBytes,
        Optional<Trust> trust) {

    /** 5 s to connect, 30 s of silence, 60 s of retries, responses up to 2 GiB. */
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

    /** Trusts the JDK's certificates. */
    public ClientOptions(Duration connectTimeout, Duration readTimeout, Duration retryFor, long maxResponseBytes) {
        this(connectTimeout, readTimeout, retryFor, maxResponseBytes, Optional.empty());
    }

    /** Returns these options with the certificates to trust, and no others. */
    public ClientOptions withTrust(Trust certificates) {
        return new ClientOptions(connectTimeout, readTimeout, retryFor, maxResponseBytes, Optional.of(certificates));
    }

    /** Returns these options with another time for retries. */
    public ClientOptions withRetryFor(Duration duration) {
        return new ClientOptions(connectTimeout, readTimeout, duration, maxResponseBytes, trust);
    }
}
