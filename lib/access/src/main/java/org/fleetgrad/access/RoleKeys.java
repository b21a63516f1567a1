package org.fleetgrad.access;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.access.Keys.KeyPair;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a role as settings give them: the access key, which names the role, and the secret key, which proves it,
 * each directly or in a file. Nothing is read or checked before {@link #pair}.
 */
public record RoleKeys(
        @Nullable String accessKey,
        @Nullable String accessKeyFile,
        @Nullable String secretKey,
        @Nullable String secretKeyFile) {

    private static final int MAX_KEY_FILE_BYTES = 4096;

    /**
     * Reads and checks both keys.
     *
     * @param prefix of the settings, such as {@code ps.security.keys.worker.}
     * @throws IllegalArgumentException says which setting is wrong and what to write, and never a key
     */
    public KeyPair pair(String prefix) {
        return pair(prefix + "access-key", prefix + "secret-key", "-file");
    }

    /**
     * Reads and checks both keys.
     *
     * @param accessName name of the access key's setting
     * @param secretName name of the secret key's setting
     * @param suffix     appended to a setting's name for the setting that names a file
     * @throws IllegalArgumentException says which setting is wrong and what to write, and never a key
     */
    KeyPair pair(String accessName, String secretName, String suffix) {
        String access = key(accessName, suffix, accessKey, accessKeyFile);
        String secret = key(secretName, suffix, secretKey, secretKeyFile);
        try {
            return new KeyPair(access, secret);
        } catch (IllegalArgumentException rule) {
            String message = String.valueOf(rule.getMessage());
            throw new IllegalArgumentException(
                    message.replaceFirst("^access-key", accessName).replaceFirst("^secret-key", secretName), rule);
        }
    }

    boolean isEmpty() {
        return accessKey == null && accessKeyFile == null && secretKey == null && secretKeyFile == null;
    }

    private static String key(String name, String suffix, @Nullable String value, @Nullable String file) {
        if ((value == null) == (file == null)) {
            throw new IllegalArgumentException("%s is %s; write %s or %s%s"
                    .formatted(name, value == null ? "missing" : "given twice", name, name, suffix));
        }
        return value != null ? value : read(name + suffix, Path.of(String.valueOf(file)));
    }

    private static String read(String name, Path file) {
        try {
            if (Files.size(file) > MAX_KEY_FILE_BYTES) {
                throw new IllegalArgumentException("%s %s has more than %d bytes; write a file with the key alone"
                        .formatted(name, file, MAX_KEY_FILE_BYTES));
            }
            // Editors end a file with a line break, which is not part of the key.
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).stripTrailing();
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("%s cannot be read: %s".formatted(name, unreadable), unreadable);
        }
    }

    @Override
    public String toString() {
        return "RoleKeys[hidden]";
    }
}
