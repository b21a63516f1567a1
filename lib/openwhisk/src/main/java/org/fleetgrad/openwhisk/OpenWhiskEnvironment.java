package org.fleetgrad.openwhisk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.fleetgrad.files.pem.PemTrust;

/**
 * The access to an OpenWhisk, from environment variables: {@code OPENWHISK_APIHOST}, {@code OPENWHISK_AUTH} (or
 * {@code OPENWHISK_AUTH_FILE}) and {@code OPENWHISK_TRUST}, a PEM file.
 *
 * @param host  the address of its controller
 * @param auth  the namespace's key
 * @param trust the certificates to trust; the JDK's if absent
 */
public record OpenWhiskEnvironment(ApiHost host, WhiskAuth auth, Optional<SSLContext> trust) {

    static final String APIHOST = "OPENWHISK_APIHOST";
    /** The variable with the key. */
    public static final String AUTH = "OPENWHISK_AUTH";

    static final String TRUST = "OPENWHISK_TRUST";

    private static final String AUTH_FILE = "OPENWHISK_AUTH_FILE";

    private static final int LONGEST_FILE = 4096;

    /**
     * Reads the variables; an empty one counts as not set.
     *
     * @throws IllegalArgumentException if one is missing or invalid; the message names the variable and what to write
     */
    public static OpenWhiskEnvironment read(Map<String, String> environment) {
        return new OpenWhiskEnvironment(host(environment), auth(environment), trust(environment));
    }

    private static ApiHost host(Map<String, String> environment) {
        String host = environment.getOrDefault(APIHOST, "");
        if (host.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s is not set; write the controller's address, such as http://127.0.0.1:3233".formatted(APIHOST));
        }
        try {
            return ApiHost.parse(host);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("%s: %s".formatted(APIHOST, malformed.getMessage()), malformed);
        }
    }

    private static WhiskAuth auth(Map<String, String> environment) {
        String auth = environment.getOrDefault(AUTH, "");
        String file = environment.getOrDefault(AUTH_FILE, "");
        if (auth.isEmpty() == file.isEmpty()) {
            throw new IllegalArgumentException(
                    auth.isEmpty()
                            ? "neither %s nor %s is set; write uuid:key, as 'wsk property get --auth' shows it"
                                    .formatted(AUTH, AUTH_FILE)
                            : "%s and %s are both set; write one".formatted(AUTH, AUTH_FILE));
        }
        String name = auth.isEmpty() ? AUTH_FILE : AUTH;
        try {
            return WhiskAuth.parse(auth.isEmpty() ? content(Path.of(file)) : auth);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("%s: %s".formatted(name, malformed.getMessage()), malformed);
        }
    }

    private static String content(Path file) {
        try {
            if (Files.size(file) > LONGEST_FILE) {
                throw new IllegalArgumentException("%s has more than %d bytes; write a file that contains only the key"
                        .formatted(file, LONGEST_FILE));
            }
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("the file cannot be read: %s".formatted(unreadable), unreadable);
        }
    }

    private static Optional<SSLContext> trust(Map<String, String> environment) {
        String file = environment.getOrDefault(TRUST, "");
        try {
            return file.isEmpty() ? Optional.empty() : Optional.of(PemTrust.context(Path.of(file)));
        } catch (IllegalArgumentException unusable) {
            throw new IllegalArgumentException("%s: %s".formatted(TRUST, unusable.getMessage()), unusable);
        }
    }

    /** Makes a client; sends nothing. */
    public OpenWhiskClient client() {
        return new OpenWhiskClient(host, auth, trust);
    }
}
