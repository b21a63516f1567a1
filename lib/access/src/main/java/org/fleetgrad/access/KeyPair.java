package org.fleetgrad.access;

/**
 * The keys that prove a role: a name and a secret. Neither appears in a message or a log.
 *
 * @param accessKey one character or more
 * @param secretKey eight characters or more
 */
public record KeyPair(String accessKey, String secretKey) {

    private static final int MIN_SECRET_LENGTH = 8;

    /** Checks both keys; {@link IllegalArgumentException} names the rule, never the key. */
    public KeyPair {
        require(!accessKey.isEmpty(), "access-key is empty; write one character or more");
        require(
                secretKey.length() >= MIN_SECRET_LENGTH,
                "secret-key has %d characters; write %d or more, such as what 'openssl rand -hex 24' prints"
                        .formatted(secretKey.length(), MIN_SECRET_LENGTH));
        requirePlain("access-key", accessKey);
        requirePlain("secret-key", secretKey);
    }

    /** Refuses characters that a shell or an editor adds by accident: the same key would be hard to enter again. */
    private static void requirePlain(String name, String key) {
        require(
                key.strip().equals(key) && key.chars().noneMatch(Character::isISOControl),
                name + " begins or ends with a blank, or has a control character; remove it");
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    @Override
    public String toString() {
        return "KeyPair[hidden]";
    }
}
