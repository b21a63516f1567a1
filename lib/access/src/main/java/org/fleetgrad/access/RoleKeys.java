package org.fleetgrad.access;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a role as settings give them, each directly or in a file. Nothing is read or checked before {@link #pair}.
 *
 * @param accessKey     names the role
 * @param accessKeyFile a file that holds the access key, in its place
 * @param secretKey     proves the role
 * @param secretKeyFile a file that holds the secret key, in its place
 */
public record RoleKeys(
        @Nullable String accessKey,
        @Nullable String accessKeyFile,
        @Nullable String secretKey,
        @Nullable String secretKeyFile) {

    private static final int LONGEST_KEY_FILE = 4096;

    /**
     * Reads and checks both keys.
     *
     * @param prefix of the settings, such as {@code ps.security.keys.worker.}
     * @throws IllegalArgumentException says which setting is wrong and what to write, and never a key
     */
    KeyPair pair(String prefix) {
        String access = key(prefix + "access-key", accessKey, accessKeyFile);
        String secret = key(prefix + "secret-key", secretKey, secretKeyFile);
        try {
            return new KeyPair(access, secret);
        } catch (IllegalArgumentException rule) {
            throw new IllegalArgumentException(prefix + rule.getMessage(), rule);
        }
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

    @Override
    public String toString() {
        return "RoleKeys[hidden]";
    }
}
