package org.fleetgrad.access;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.fleetgrad.access.Keys.KeyPair;
import org.fleetgrad.access.rate.Rates;
import org.fleetgrad.access.rate.Rates.RateLimits;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a service's keys and tokens. They are checked on use, not in the constructor: a framework that
 * reports a failed binding prints the value, which may be a key.
 *
 * @param prefix        of the settings' names, for messages, such as {@code ps.security}
 * @param keys          by role: worker, reader, evaluator, operator; without any, security is off
 * @param tokenLifetime how long a token is valid
 * @param tokenKeyFile  the file with the key that signs tokens; without it, each start generates a new key
 * @param limits        how often other machines may send requests
 */
public record AccessSettings(
        String prefix,
        Map<String, RoleKeys> keys,
        Duration tokenLifetime,
        @Nullable String tokenKeyFile,
        RateLimits limits) {

    /** Reads and checks the keys; {@link IllegalArgumentException} says which setting is wrong and what to write. */
    public Map<Role, KeyPair> pairs() {
        Map<Role, KeyPair> pairs = new EnumMap<>(Role.class);
        keys.forEach((label, given) -> {
            Role role = Role.named(label)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "%s.keys.%s is of no role; write one of %s".formatted(prefix, label, Role.labels())));
            pairs.put(role, given.pair("%s.keys.%s.".formatted(prefix, label)));
        });
        return pairs;
    }

    /**
     * Creates the counters of requests and failures; {@link IllegalArgumentException} says what to write instead.
     *
     * @param nanoTime the time in nanoseconds, as {@link System#nanoTime}
     */
    public Rates rates(LongSupplier nanoTime) {
        return new Rates(limits.checked(prefix), nanoTime);
    }

    /** Creates the issuer and verifier of tokens; {@link IllegalArgumentException} says what to write instead. */
    public TokenIssuer issuer(Clock clock) {
        byte[] key = tokenKeyFile == null
                ? TokenKey.random()
                : TokenKey.read(prefix + ".token-key-file", Path.of(tokenKeyFile));
        Keys all = new Keys(pairs());
        try {
            return new TokenIssuer(all, new Tokens(key, clock, tokenLifetime));
        } catch (IllegalArgumentException rule) {
            throw new IllegalArgumentException("%s.%s".formatted(prefix, rule.getMessage()), rule);
        }
    }
}
