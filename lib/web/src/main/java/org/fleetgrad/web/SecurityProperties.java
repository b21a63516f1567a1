package org.fleetgrad.web;

import java.time.Duration;
import java.util.Map;
import org.fleetgrad.access.AccessSettings;
import org.fleetgrad.access.RoleKeys;
import org.fleetgrad.access.rate.Rates.RateLimits;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The keys of a service's clients, {@code ps.security.*} and {@code inference.security.*}; docs/configuration.md explains every
 * setting.
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

    /** Returns the settings under a prefix, which are checked on use. */
    public static AccessSettings read(Binder binder, String prefix) {
        SecurityProperties bound = binder.bindOrCreate(prefix, SecurityProperties.class);
        return new AccessSettings(
                prefix,
                bound.keys,
                bound.tokenLifetime,
                bound.tokenKeyFile,
                new RateLimits(bound.requestsPerSecond, bound.failuresPerMinute));
    }
}
