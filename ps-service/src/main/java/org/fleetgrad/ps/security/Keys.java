package org.fleetgrad.ps.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The keys of every role. Kept as digests, compared in constant time and always with those of every role, so that the
 * time of an answer says nothing. Immutable.
 */
public final class Keys {

    private record Digests(byte[] access, byte[] secret) {}

    private final Map<Role, Digests> digests = new EnumMap<>(Role.class);

    /** Takes the keys; {@link IllegalArgumentException} where two roles share an access key. */
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

    /** Tells whether there are none: then nothing is authenticated. */
    public boolean isEmpty() {
        return digests.isEmpty();
    }

    /** Finds the role that both keys belong to. */
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
