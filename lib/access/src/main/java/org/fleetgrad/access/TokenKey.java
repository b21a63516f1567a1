package org.fleetgrad.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Provides the key that signs tokens. */
public final class TokenKey {

    /** HS256 needs as many bits as its digest has, RFC 7518 section 3.2. */
    static final int MIN_BYTES = 32;

    private static final long MAX_BYTES = 4096;

    private TokenKey() {}

    /** Generates a key, which is lost when the server stops. */
    public static byte[] random() {
        byte[] key = new byte[MIN_BYTES];
        new SecureRandom().nextBytes(key);
        return key;
    }

    /** Reads the key from a file, or generates one where the setting names none. */
    public static byte[] of(String setting, @Nullable String file) {
        return file == null ? random() : read(setting, Path.of(file));
    }

    /**
     * Reads a key from a file, text or binary, without the line break that an editor adds at its end.
     *
     * @param setting name of the setting that names the file, for messages
     * @throws IllegalArgumentException says what is wrong with the file and what to write
     */
    public static byte[] read(String setting, Path file) {
        byte[] bytes;
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw wrong(setting, file, "more than %d".formatted(MAX_BYTES));
            }
            bytes = Files.readAllBytes(file);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("%s cannot be read: %s".formatted(setting, unreadable), unreadable);
        }
        int length = bytes.length;
        while (length > 0 && (bytes[length - 1] == '\n' || bytes[length - 1] == '\r')) {
            length--;
        }
        if (length < MIN_BYTES) {
            throw wrong(setting, file, Integer.toString(length));
        }
        return Arrays.copyOf(bytes, length);
    }

    private static IllegalArgumentException wrong(String setting, Path file, String bytes) {
        return new IllegalArgumentException(
                "%s %s has %s bytes; write %d to %d, such as what 'openssl rand -base64 48' prints"
                        .formatted(setting, file, bytes, MIN_BYTES, MAX_BYTES));
    }
}
