package org.fleetgrad.client;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.fleetgrad.client.Session.RenewedToken;
import org.fleetgrad.client.internal.http.Transport;
import org.fleetgrad.files.time.SteadyClock;

/**
 * The token of a client that sends its requests by itself, such as to the inference API. It is requested from the
 * service's {@code POST /issueToken} on first use, and renewed before it expires. Thread-safe.
 */
public final class ServiceToken {

    private static final String SCHEME = "Bearer ";

    private final RenewedToken token;

    /** Takes the service's address and the keys to present. Nothing is sent yet. */
    public ServiceToken(URI service, Credentials credentials, ClientOptions options) {
        Transport transport = Transport.overLibrary(options.transport());
        this.token = new Session(service, transport, SteadyClock.system(), credentials).token("");
    }

    /** Returns the token for the keys of the options; empty if they have none. Nothing is sent yet. */
    public static Optional<ServiceToken> of(URI service, ClientOptions options) {
        return options.credentials().map(keys -> new ServiceToken(service, keys, options));
    }

    /**
     * Returns the value of the header {@code Authorization}; empty if the service has no keys and so requires none.
     *
     * @throws ProblemException when the service refuses the keys
     */
    public Optional<String> authorization() throws IOException {
        String text = token.text();
        return text.isEmpty() ? Optional.empty() : Optional.of(SCHEME + text);
    }

    /** Discards a header that the service refused with 401; the next call gets another token. */
    public void invalidate(String authorization) {
        token.invalidate(authorization.startsWith(SCHEME) ? authorization.substring(SCHEME.length()) : authorization);
    }
}
