package org.fleetgrad.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.fleetgrad.client.internal.http.Transport;
import org.fleetgrad.files.pem.PemTrust;

/**
 * How long a client waits, how much it accepts, which certificates it trusts, and which keys it presents.
 *
 * @param connectTimeout   longest wait for a connection
 * @param readTimeout      longest silence of the server within a response, beyond a long poll's own wait
 * @param retryFor         how long a call is retried while the server is unreachable or answers 408, 429 or 503; zero: never
 * @param maxResponseBytes largest response that is read into memory
 * @param trust            the certificates to trust over https, see {@link PemTrust}; the JDK's if absent
 * @param credentials      the keys, if the server requires them
 */
public record ClientOptions(
        Duration connectTimeout,
        Duration readTimeout,
        Duration retryFor,
        long maxResponseBytes,
        Optional<SSLContext> trust,
        Optional<Credentials> credentials) {

    /** 5 s to connect, 30 s of silence, 60 s of retries, responses up to 2 GiB. */
    public static final ClientOptions DEFAULT =
            new ClientOptions(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(60), Integer.MAX_VALUE);

    /** Name of the environment variable with a PEM file of certificates to trust. */
    public static final String TRUST = "FLEETGRAD_TRUST";

    /** Checks that times are not negative and the size is positive. */
    public ClientOptions {
        if (connectTimeout.isNegative() || readTimeout.isNegative() || retryFor.isNegative() || maxResponseBytes <= 0) {
            throw new IllegalArgumentException(
                    "connectTimeout %s, readTimeout %s and retryFor %s must not be negative, and maxResponseBytes %d must be positive"
                            .formatted(connectTimeout, readTimeout, retryFor, maxResponseBytes));
        }
    }

    /** Trusts the JDK's certificates, and presents no keys. */
    public ClientOptions(Duration connectTimeout, Duration readTimeout, Duration retryFor, long maxResponseBytes) {
        this(connectTimeout, readTimeout, retryFor, maxResponseBytes, Optional.empty(), Optional.empty());
    }

    /**
     * Returns these options with the security of environment variables: {@link #TRUST}, and the keys of
     * {@link Credentials#ofEnvironment}. An empty variable counts as not set.
     *
     * @throws IllegalArgumentException when one is wrong; the message names the variable and what to write
     */
    public ClientOptions withEnvironment(Map<String, String> environment) {
        String pem = environment.getOrDefault(TRUST, "");
        return withSecurity(
                pem.isEmpty() ? Optional.empty() : Optional.of(PemTrust.context(Path.of(pem))),
                Credentials.ofEnvironment(environment));
    }

    /** Returns these options with the certificates to trust, and no others, and the keys to present. */
    public ClientOptions withSecurity(Optional<SSLContext> certificates, Optional<Credentials> keys) {
        return new ClientOptions(connectTimeout, readTimeout, retryFor, maxResponseBytes, certificates, keys);
    }

    /** Returns these options with the keys to present. */
    public ClientOptions withCredentials(Credentials keys) {
        return withSecurity(trust, Optional.of(keys));
    }

    /** Returns these options with other timeouts. */
    public ClientOptions withTimeouts(Duration connect, Duration read) {
        return new ClientOptions(connect, read, retryFor, maxResponseBytes, trust, credentials);
    }

    /** Returns these options with another time for retries. */
    public ClientOptions withRetryFor(Duration duration) {
        return new ClientOptions(connectTimeout, readTimeout, duration, maxResponseBytes, trust, credentials);
    }

    Transport.Settings transport() {
        return new Transport.Settings(connectTimeout, readTimeout, maxResponseBytes, trust);
    }
}
