package org.fleetgrad.inference.evaluation;

import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import org.fleetgrad.files.text.ShownAddress;

/** The location of the held-out samples, from the setting. Its text form has no user and no query, which may be a signature. */
public sealed interface TestShardLocation {

    /** A shard's file, or a folder with a dataset's {@code manifest.json}. */
    record Local(Path path) implements TestShardLocation {
        @Override
        public String toString() {
            return path.toString();
        }
    }

    /** A shard over HTTP; the address may be a presigned one. */
    record Url(URI uri) implements TestShardLocation {
        @Override
        public String toString() {
            return ShownAddress.of(uri.toString());
        }
    }

    /** A dataset in a bucket, {@code s3://bucket/prefix}. */
    record Bucket(String text) implements TestShardLocation {
        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * Reads a location; Spring calls it for the setting.
     *
     * @throws IllegalArgumentException if the text is not a location; the message says what is valid
     */
    static TestShardLocation valueOf(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        try {
            if (lower.startsWith("s3:")) {
                return new Bucket(text);
            }
            if (lower.startsWith("http://") || lower.startsWith("https://")) {
                URI uri = URI.create(text);
                if (uri.getHost() != null) {
                    return new Url(uri);
                }
            } else if (!text.contains("://")) {
                return new Local(Path.of(text));
            }
        } catch (InvalidPathException malformed) {
            // Refused below, like any other invalid location.
        } catch (IllegalArgumentException malformed) {
            // Without the cause, which quotes the whole address.
            throw refusal(text);
        }
        throw refusal(text);
    }

    private static IllegalArgumentException refusal(String text) {
        return new IllegalArgumentException(
                "inference.test-shard must be a shard's path or http(s) URL, or a dataset's folder or s3://bucket/prefix; it is '%s'"
                        .formatted(ShownAddress.of(text)));
    }
}
