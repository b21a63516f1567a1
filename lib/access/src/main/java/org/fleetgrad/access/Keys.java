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
}
