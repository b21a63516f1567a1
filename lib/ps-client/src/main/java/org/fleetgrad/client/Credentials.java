package org.fleetgrad.client;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a client presents to get tokens. Neither key ever appears in a message.
 *
 * @param accessKey names the role, one character or more
 * @param secretKey proves it, one character or more
 */
public record Credentials(String accessKey, String secretKey) {

    private static final String ACCESS_KEY = "FLEETGRAD_ACCESS_KEY";
    private static final String SECRET_KEY = "FLEETGRAD_SECRET_KEY";
    private static final int UNAUTHORIZED = 401;

    /** Checks that neither is empty. */
    public Credentials {
        if (accessKey.isEmpty() || secretKey.isEmpty()) {
            throw new IllegalArgumentException("an access key and a secret key have one character or more each");
        }
    }

    /**
     * Reads both keys from settings; nothing if neither is set.
     *
     * @throws IllegalArgumentException when one is set without the other, is set twice, or its file cannot be read; the
     *     message names the setting and what to write
     */
    public static Optional<Credentials> of(KeySetting access, KeySetting secret) {
        Optional<String> accessKey = access.read();
        Optional<String> secretKey = secret.read();
        if (accessKey.isPresent() != secretKey.isPresent()) {
            KeySetting missing = accessKey.isPresent() ? secret : access;
            KeySetting present = accessKey.isPresent() ? access : secret;
            throw new IllegalArgumentException(
                    "%s is set and %s is not; write %s too".formatted(present.name(), missing.name(), missing.names()));
        }
        return accessKey.map(key -> new Credentials(key, secretKey.orElseThrow()));
    }

    /**
     * Reads both keys from the environment variables {@code FLEETGRAD_ACCESS_KEY} and {@code FLEETGRAD_SECRET_KEY}, or
     * from the files that {@code FLEETGRAD_ACCESS_KEY_FILE} and {@code FLEETGRAD_SECRET_KEY_FILE} name.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    public static Optional<Credentials> ofEnvironment(Map<String, String> environment) {
        return of(KeySetting.variable(environment, ACCESS_KEY), KeySetting.variable(environment, SECRET_KEY));
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

    /**
     * Returns a warning if keys that are sent to an address can be read on the way: it takes them without TLS, and is not this
     * machine's loopback.
     *
     * @param keys whose keys they are, such as {@code the keys of this run}
     */
    public static Optional<String> clearTextWarning(String keys, URI address) {
        return ClearTextKeys.warning(keys, address);
    }

    @Override
    public String toString() {
        return "Credentials[hidden]";
    }

    /**
     * The two places where a key may be set: a setting, or a file that another setting names. An empty one counts as
     * not set.
     *
     * @param name     the setting's name, for messages
     * @param value    the key itself
     * @param fileName name of the setting that names a file; empty if there is none
     * @param file     path of a file with only the key; a line break at its end is ignored
     */
    public record KeySetting(
            String name,
            @Nullable String value,
            String fileName,
            @Nullable String file) {

        private static final int MAX_FILE_BYTES = 4096;

        /**
         * Reads the key; nothing if it is not set.
         *
         * @throws IllegalArgumentException when it is set twice, or its file cannot be read or holds no key
         */
        public Optional<String> read() {
            boolean isFile = file != null && !file.isEmpty();
            if (value == null || value.isEmpty()) {
                return isFile ? Optional.of(read(Path.of(String.valueOf(file)))) : Optional.empty();
            }
            if (isFile) {
                throw new IllegalArgumentException("%s and %s are both set; write one".formatted(name, fileName));
            }
            return Optional.of(value);
        }

        /** Returns the places where the key may be set, for messages. */
        String names() {
            return fileName.isEmpty() ? name : name + " or " + fileName;
        }

        /** Returns a key that is set in an environment variable, or in the file that {@code <name>_FILE} names. */
        public static KeySetting variable(Map<String, String> environment, String name) {
            String file = name + "_FILE";
            return new KeySetting(name, environment.get(name), file, environment.get(file));
        }

        /** Returns a key that can be set only in its setting, not in a file. */
        public static KeySetting inPlace(String name, @Nullable String value) {
            return new KeySetting(name, value, "", null);
        }

        private String read(Path path) {
            try {
                if (Files.size(path) > MAX_FILE_BYTES) {
                    throw new IllegalArgumentException(
                            "%s names %s, which has more than %d bytes; write a file with the key alone"
                                    .formatted(fileName, path, MAX_FILE_BYTES));
                }
                String key = new String(Files.readAllBytes(path), StandardCharsets.UTF_8).stripTrailing();
                if (key.isEmpty()) {
                    throw new IllegalArgumentException(
                            "%s names %s, which is empty; write the key into it".formatted(fileName, path));
                }
                return key;
            } catch (IOException unreadable) {
                throw new IllegalArgumentException(
                        "%s names a file that cannot be read: %s".formatted(fileName, unreadable), unreadable);
            }
        }

        @Override
        public String toString() {
            return "KeySetting[%s]".formatted(name);
        }
    }
}
