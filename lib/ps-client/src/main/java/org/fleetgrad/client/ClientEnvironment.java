package org.fleetgrad.client;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of a server's security in environment variables: {@code FLEETGRAD_ACCESS_KEY}, {@code FLEETGRAD_SECRET_KEY}
 * (or {@code FLEETGRAD_ACCESS_KEY_FILE}, {@code FLEETGRAD_SECRET_KEY_FILE}) and {@code FLEETGRAD_TRUST}, a PEM file.
 *
 * @param credentials the keys, if they are set
 * @param trust       the certificates to trust, if not the JDK's
 */
public record ClientEnvironment(Optional<Credentials> credentials, Optional<Trust> trust) {

    /** Name of the variable with a PEM file to trust. */
    public static final String TRUST = "FLEETGRAD_TRUST";

    private static final String ACCESS_KEY = "FLEETGRAD_ACCESS_KEY";
    private static final String SECRET_KEY = "FLEETGRAD_SECRET_KEY";

    private static final int UNAUTHORIZED = 401;

    /**
     * Reads the variables; an empty one counts as not set.
     *
     * @throws IllegalArgumentException when one is wrong; the message names the variable and what to write
     */
    public static ClientEnvironment read(Map<String, String> environment) {
        String trust = environment.getOrDefault(TRUST, "");
        return new ClientEnvironment(
                Credentials.of(key(environment, ACCESS_KEY), key(environment, SECRET_KEY)),
                trust.isEmpty() ? Optional.empty() : Optional.of(Trust.pem(Path.of(trust))));
    }

    /**
     * Returns advice for a person about a refused call: after a 401, which two variables to set, or to correct.
     *
     * @return a clause that follows the refusal's message; empty if there is nothing to add
     */
    public static String advice(ProblemException refused, Map<String, String> environment) {
        if (refused.problem().status() != UNAUTHORIZED) {
            return "";
        }
        boolean hasKeys = !environment.getOrDefault(ACCESS_KEY, "").isEmpty()
                || !environment.getOrDefault(ACCESS_KEY + "_FILE", "").isEmpty();
        return hasKeys
                ? "; correct %1$s and %2$s (or %2$s_FILE)".formatted(ACCESS_KEY, SECRET_KEY)
                : "; the server asks for keys: set %1$s and %2$s (or %2$s_FILE)".formatted(ACCESS_KEY, SECRET_KEY);
    }

    private static KeySetting key(Map<String, String> environment, String name) {
        String file = name + "_FILE";
        return new KeySetting(name, environment.get(name), file, environment.get(file));
    }

    /** Returns the same with other keys. */
    public ClientEnvironment withCredentials(Credentials others) {
        return new ClientEnvironment(Optional.of(others), trust);
    }

    /** Prepares a client with the environment's trust and keys. */
    public PsClient client(URI server, ClientOptions options) {
        PsClient client = new PsClient(server, trust.map(options::withTrust).orElse(options));
        return credentials.map(client::withCredentials).orElse(client);
    }

    /** Prepares the token of another service, such as the inference API; empty without keys. */
    public Optional<ServiceToken> token(URI service, ClientOptions options) {
        ClientOptions trusting = trust.map(options::withTrust).orElse(options);
        return credentials.map(keys -> new ServiceToken(service, keys, trusting));
    }

    /** Prepares a client of a run's servers, each with the environment's trust and keys. */
    public ParameterServers servers(ServerAddresses addresses, ClientOptions options) {
        return ParameterServers.of(
                addresses.uris().stream().map(uri -> client(uri, options)).toList());
    }
}
