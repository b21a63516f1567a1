package org.fleetgrad.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The two places where a key may be set: a setting, or a file that another setting names. An empty one counts as not set.
 *
 * @param name     the setting's name, for messages
 * @param value    the key itself
 * @param fileName name of the setting that names a file; empty if there is none
 * @param file     path of a file with only the key; a line break at its end is ignored
 */
public record KeySetting(
        String name,
        @Nullable String value,
        String fileName,
        @Nullable String file) {

    private static final int LONGEST_FILE = 4096;

    /**
     * Reads the key; nothing if it is not set.
     *
     * @throws IllegalArgumentException when it is set twice, or its file cannot be read or holds no key
     */
    public Optional<String> read() {
        boolean isFile = file != null && !file.isEmpty();
        if (value == null || value.isEmpty()) {
            return isFile ? Optional.of(read(Path.of(String.valueOf(file)))) : Optional.empty();
        }
        if (isFile) {
            throw new IllegalArgumentException("%s and %s are both set; write one".formatted(name, fileName));
        }
        return Optional.of(value);
    }

    /** Returns the places where the key may be set, for messages. */
    String names() {
        return fileName.isEmpty() ? name : name + " or " + fileName;
    }

    /** Returns a key that can be set only in its setting, not in a file. */
    public static KeySetting inPlace(String name, @Nullable String value) {
        return new KeySetting(name, value, "", null);
    }

    private String read(Path path) {
        try {
            if (Files.size(path) > LONGEST_FILE) {
                throw new IllegalArgumentException(
                        "%s names %s, which has more than %d bytes; write a file with the key alone"
                                .formatted(fileName, path, LONGEST_FILE));
            }
            String key = new String(Files.readAllBytes(path), StandardCharsets.UTF_8).stripTrailing();
            if (key.isEmpty()) {
                throw new IllegalArgumentException(
                        "%s names %s, which is empty; write the key into it".formatted(fileName, path));
            }
            return key;
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "%s names a file that cannot be read: %s".formatted(fileName, unreadable), unreadable);
        }
    }

    @Override
    public String toString() {
        return "KeySetting[%s]".formatted(name);
    }
}
