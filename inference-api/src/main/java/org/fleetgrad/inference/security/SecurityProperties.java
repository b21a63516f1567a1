package org.fleetgrad.inference.security;

import java.time.Duration;
import java.util.Map;
import org.fleetgrad.access.AccessSettings;
import org.fleetgrad.access.RoleKeys;
import org.fleetgrad.access.rate.RateLimits;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The keys of the service's clients, {@code inference.security.*}. The keys that this service sends to the parameter server are
 * others: {@code inference.access-key} and {@code inference.secret-key}.
 *
 * @param keys          by role: worker, reader, evaluator, operator; without any, security is off
 * @param tokenLifetime how long a token is valid
 * @param tokenKeyFile  the file with the key that signs tokens; without it, each start generates a new key
 * @param requestsPerSecond requests that a token may make; 0 for no limit
 * @param failuresPerMinute wrong keys and tokens that one address may send; 0 for no limit
 */
@ConfigurationProperties(SecurityProperties.PREFIX)
record SecurityProperties(
        @DefaultValue Map<String, RoleKeys> keys,
        @DefaultValue("15m") Duration tokenLifetime,
        @Nullable String tokenKeyFile,
        @DefaultValue("5000") int requestsPerSecond,
        @DefaultValue("20") int failuresPerMinute) {

    static final String PREFIX = "inference.security";

    /** Returns the settings, which are checked on use. */
    AccessSettings settings() {
        return new AccessSettings(
                PREFIX, keys, tokenLifetime, tokenKeyFile, new RateLimits(requestsPerSecond, failuresPerMinute));
    }
}
