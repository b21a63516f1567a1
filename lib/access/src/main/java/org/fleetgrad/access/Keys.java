package org.fleetgrad.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The keys of all roles. They are stored as digests. A lookup compares with the keys of every role in constant time, so
 * that its duration reveals nothing. Immutable.
 */
public final class Keys {

    private record Digests(byte[] access, byte[] secret) {}

    private final Map<Role, Digests> digests = new EnumMap<>(Role.class);

    /** Takes the keys; throws {@link IllegalArgumentException} if two roles share an access key. */
    public Keys(Map<Role, KeyPair> pairs) {
        pairs.forEach((role, pair) -> {
            byte[] access = digest(pair.accessKey());
            digests.forEach((other, taken) -> {
                if (MessageDigest.isEqual(taken.access(), access)) {
                    throw new IllegalArgumentException(
                            "the roles %s and %s have the same access-key; write another for one of them"
                                    .formatted(other.label(), role.label()));
                }
            });
            digests.put(role, new Digests(access, digest(pair.secretKey())));
        });
    }

    /** Returns whether there are no keys: then no caller is authenticated. */
    public boolean isEmpty() {
        return digests.isEmpty();
    }

    /** Returns the role of this pair of keys. */
    public Optional<Role> roleOf(String accessKey, String secretKey) {
        byte[] access = digest(accessKey);
        byte[] secret = digest(secretKey);
        Optional<Role> found = Optional.empty();
        for (Map.Entry<Role, Digests> entry : digests.entrySet()) {
            boolean isAccess = MessageDigest.isEqual(entry.getValue().access(), access);
            boolean isSecret = MessageDigest.isEqual(entry.getValue().secret(), secret);
            if (isAccess && isSecret) {
                found = Optional.of(entry.getKey());
            }
        }
        return found;
    }

    private static byte[] digest(String key) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    @Override
    public String toString() {
        return "Keys" + digests.keySet();
    }

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
}
