package org.fleetgrad.access;

import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.fleetgrad.access.Keys.KeyPair;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a small service requires of readers, as environment variables: {@code ACCESS_KEY}, {@code SECRET_KEY} (or both
 * with {@code _FILE}) and {@code TOKEN_KEY_FILE}, each after a prefix. An empty one counts as not set.
 *
 * @param prefix      such as {@code WORKER_SERVE_}
 * @param environment the variables
 */
public record ReaderKeys(String prefix, Map<String, String> environment) {

    private static final Duration LIFETIME = Duration.ofMinutes(15);

    /**
     * Creates the issuer and verifier of tokens; without keys, no token is required.
     *
     * @throws IllegalArgumentException says which variable is wrong and what to write, and never a key
     */
    public TokenIssuer issuer(Clock clock) {
        byte[] tokenKey = TokenKey.of(prefix + "TOKEN_KEY_FILE", value("TOKEN_KEY_FILE"));
        return new TokenIssuer(new Keys(pairs()), new Tokens(tokenKey, clock, LIFETIME));
    }

    private Map<Role, KeyPair> pairs() {
        RoleKeys keys = new RoleKeys(
                value("ACCESS_KEY"), value("ACCESS_KEY_FILE"), value("SECRET_KEY"), value("SECRET_KEY_FILE"));
        return keys.isEmpty()
                ? Map.of()
                : Map.of(Role.READER, keys.pair(prefix + "ACCESS_KEY", prefix + "SECRET_KEY", "_FILE"));
    }

    private @Nullable String value(String name) {
        String value = environment.getOrDefault(prefix + name, "");
        return value.isEmpty() ? null : value;
    }

    /**
     * Refuses an address that other machines can reach if there are no keys.
     *
     * @param setting of the address, such as {@code WORKER_SERVE_ADDRESS}
     * @throws IllegalArgumentException says what to write
     */
    public void requireSafe(InetAddress address, String setting) {
        if (!address.isLoopbackAddress() && pairs().isEmpty()) {
            throw new IllegalArgumentException(
                    ("%1$s is %2$s, which other machines can reach, and there are no keys: anybody could ask for predictions."
                                    + " Write %3$sACCESS_KEY and %3$sSECRET_KEY (or %3$sSECRET_KEY_FILE), or %1$s 127.0.0.1")
                            .formatted(setting, address.getHostAddress(), prefix));
        }
    }

    @Override
    public String toString() {
        return "ReaderKeys[%s, hidden]".formatted(prefix);
    }
}
