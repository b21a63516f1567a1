package org.fleetgrad.store;

import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where objects are kept: a folder, or {@code s3://bucket/prefix} on the service of {@code S3_ENDPOINT}. Its text form is
 * what was parsed, and never shows keys.
 */
public sealed interface StoreLocation {

    /**
     * A folder of this machine.
     *
     * @param path its path
     */
    record Folder(Path path) implements StoreLocation {

        @Override
        public FolderStore open() {
            return new FolderStore(path);
        }

        @Override
        public String namePrefix() {
            return "";
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /**
     * A part of a bucket of an S3 service.
     *
     * @param endpoint    the service
     * @param region      where the bucket is
     * @param name        the bucket
     * @param prefix      what the objects' names begin with; empty, or without a slash at its end
     * @param credentials who asks
     */
    record Bucket(URI endpoint, String region, String name, String prefix, Credentials credentials)
            implements StoreLocation {

        private static final Pattern FORM = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/+(.*?))?/*");

        private static Bucket parse(String text, S3Environment environment) {
            Matcher matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "a bucket is written s3://bucket/prefix, its name 3 to 63 lower-case letters, digits, '.' and '-'; not '%s'"
                                .formatted(text));
            }
            String prefix = Optional.ofNullable(matcher.group(2)).orElse("");
            if (!prefix.isEmpty()) {
                new ObjectName(prefix);
            }
            return new Bucket(
                    environment.endpoint(), environment.region(), matcher.group(1), prefix, environment.credentials());
        }

        @Override
        public S3Store open() {
            return new S3Store(endpoint, region, name, credentials);
        }

        @Override
        public String namePrefix() {
            return prefix.isEmpty() ? "" : prefix + "/";
        }

        @Override
        public String toString() {
            return "s3://" + name + (prefix.isEmpty() ? "" : "/" + prefix);
        }
    }

    /**
     * Reads a location.
     *
     * @param what        what is kept there, for messages, such as {@code checkpoints}
     * @param text        a path, or {@code s3://bucket/prefix}
     * @param environment value of a variable, null where it is not set; asked for a bucket only: {@code S3_ENDPOINT},
     *     {@code S3_ACCESS_KEY} and {@code S3_SECRET_KEY}, or the names of files that hold them in
     *     {@code S3_ACCESS_KEY_FILE} and {@code S3_SECRET_KEY_FILE}, and {@code S3_REGION}
     * @throws IllegalArgumentException when the text is neither, or a variable is missing or wrong; the message says what
     *     to write instead
     */
    static StoreLocation parse(String what, String text, Function<String, @Nullable String> environment) {
        if (text.startsWith("s3:")) {
            return Bucket.parse(text, new S3Environment(text, environment));
        }
        if (text.isBlank() || text.contains("://")) {
            throw new IllegalArgumentException(
                    "%s lie in a folder or in s3://bucket/prefix, not in '%s'".formatted(what, text));
        }
        try {
            return new Folder(Path.of(text));
        } catch (InvalidPathException invalid) {
            throw new IllegalArgumentException("not a folder's path: " + invalid.getMessage(), invalid);
        }
    }

    /** Opens the store; nothing is made or sent. */
    ObjectStore open();

    /** Returns what the names of objects begin with there. */
    String namePrefix();
}
