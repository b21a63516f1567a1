package org.fleetgrad.client;

import java.util.Optional;

/**
 * The keys that a client presents to get tokens. Neither key ever appears in a message.
 *
 * @param accessKey names the role, one character or more
 * @param secretKey proves it, one character or more
 */
public record Credentials(String accessKey, String secretKey) {

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

    @Override
    public String toString() {
        return "Credentials[hidden]";
    }
}
