package org.fleetgrad.ps.web.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.fleetgrad.ps.security.KeyPair;
import org.fleetgrad.ps.security.Role;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The keys of those who may use the server, under {@code ps.security.}; docs/configuration.md explains every setting.
 *
 * <p>The values are checked later, not while Spring binds them: its report of a failed binding prints the value, which may
 * be a key.
 *
 * @param keys          by role: worker, reader, evaluator, operator; without any, security is off
 * @param tokenLifetime how long a token is valid
 * @param tokenKeyFile  the file with the key that signs tokens; without it, each start draws a new key
 */
@ConfigurationProperties("ps.security")
record SecurityProperties(
        @DefaultValue Map<String, RoleKeys> keys,
        @DefaultValue("15m") Duration tokenLifetime,
        @Nullable String tokenKeyFile) {

    private static final int LONGEST_KEY_FILE = 4096;

    /** The keys of a role, each given directly or in a file. */
    record RoleKeys(
            @Nullable String accessKey,
            @Nullable String accessKeyFile,
            @Nullable String secretKey,
            @Nullable String secretKeyFile) {

        @Override
        public String toString() {
            return "RoleKeys[hidden]";
        }
    }

    /** Reads and checks the keys; {@link IllegalArgumentException} says which setting is wrong and what to write. */
    Map<Role, KeyPair> pairs() {
        Map<Role, KeyPair> pairs = new EnumMap<>(Role.class);
        keys.forEach((label, given) -> {
            Role role = Role.named(label)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "ps.security.keys.%s is of no role; write one of %s".formatted(label, Role.labels())));
            String prefix = "ps.security.keys.%s.".formatted(label);
            String access = key(prefix + "access-key", given.accessKey(), given.accessKeyFile());
            String secret = key(prefix + "secret-key", given.secretKey(), given.secretKeyFile());
            try {
                pairs.put(role, new KeyPair(access, secret));
            } catch (IllegalArgumentException rule) {
                throw new IllegalArgumentException(prefix + rule.getMessage(), rule);
            }
        });
        return pairs;
    }

    private static String key(String name, @Nullable String value, @Nullable String file) {
        if ((value == null) == (file == null)) {
            throw new IllegalArgumentException("%s is %s; write %s or %s-file"
                    .formatted(name, value == null ? "missing" : "given twice", name, name));
        }
        return value != null ? value : read(name, Path.of(String.valueOf(file)));
    }

    private static String read(String name, Path file) {
        try {
            if (Files.size(file) > LONGEST_KEY_FILE) {
                throw new IllegalArgumentException("%s-file %s has more than %d bytes; write a file with the key alone"
                        .formatted(name, file, LONGEST_KEY_FILE));
            }
            // Editors end a file with a line break, which is not part of the key.
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).stripTrailing();
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("%s-file cannot be read: %s".formatted(name, unreadable), unreadable);
        }
    }
}
