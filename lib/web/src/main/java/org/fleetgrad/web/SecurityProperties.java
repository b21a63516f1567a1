package org.fleetgrad.web;

import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.fleetgrad.access.Keys;
import org.fleetgrad.access.Keys.KeyPair;
import org.fleetgrad.access.Role;
import org.fleetgrad.access.RoleKeys;
import org.fleetgrad.access.TokenIssuer;
import org.fleetgrad.access.TokenKey;
import org.fleetgrad.access.Tokens;
import org.fleetgrad.access.rate.Rates;
import org.fleetgrad.access.rate.Rates.RateLimits;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The keys of a service's clients, {@code ps.security.*} and {@code inference.security.*}; docs/configuration.md explains every
 * setting. They are checked on use, with the prefix of the settings for the message, and not in the constructor: Spring prints
 * the value of a failed binding, which may be a key.
 *
 * @param keys          by role: worker, reader, evaluator, operator; without any, security is off
 * @param tokenLifetime how long a token is valid
 * @param tokenKeyFile  the file with the key that signs tokens; without it, each start generates a new key
 * @param requestsPerSecond requests that a token may make; 0 for no limit
 * @param failuresPerMinute wrong keys and tokens that one address may send; 0 for no limit
 */
public record SecurityProperties(
        @DefaultValue Map<String, RoleKeys> keys,
        @DefaultValue("15m") Duration tokenLifetime,
        @Nullable String tokenKeyFile,
        @DefaultValue("5000") int requestsPerSecond,
        @DefaultValue("20") int failuresPerMinute) {

    public static SecurityProperties read(Binder binder, String prefix) {
        return binder.bindOrCreate(prefix, SecurityProperties.class);
    }

    /** Reads and checks the keys; {@link IllegalArgumentException} says which setting is wrong and what to write. */
    public Map<Role, KeyPair> pairs(String prefix) {
        Map<Role, KeyPair> pairs = new EnumMap<>(Role.class);
        keys.forEach((label, given) -> {
            Role role = Role.named(label)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "%s.keys.%s is of no role; write one of %s".formatted(prefix, label, Role.labels())));
            pairs.put(role, given.pair("%s.keys.%s.".formatted(prefix, label)));
        });
        return pairs;
    }

    /** Creates the issuer and verifier of tokens; {@link IllegalArgumentException} says what to write instead. */
    TokenIssuer issuer(String prefix, Clock clock) {
        byte[] key = TokenKey.of(prefix + ".token-key-file", tokenKeyFile);
        Keys all = new Keys(pairs(prefix));
        try {
            return new TokenIssuer(all, new Tokens(key, clock, tokenLifetime));
        } catch (IllegalArgumentException rule) {
            throw new IllegalArgumentException("%s.%s".formatted(prefix, rule.getMessage()), rule);
        }
    }

    /** Creates the counters of requests and failures; {@link IllegalArgumentException} says what to write instead. */
    public Rates rates(String prefix, LongSupplier nanoTime) {
        return new Rates(new RateLimits(requestsPerSecond, failuresPerMinute).checked(prefix), nanoTime);
    }
}
