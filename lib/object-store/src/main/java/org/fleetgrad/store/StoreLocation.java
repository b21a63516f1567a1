package org.fleetgrad.store;

import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.files.text.ShownAddress;
import org.jspecify.annotations.Nullable;

/**
 * The place of a store: a folder, or {@code s3://bucket/prefix} on the service of {@code S3_ENDPOINT}. The text form is
 * the parsed text, and never contains keys.
 */
public sealed interface StoreLocation {

    /**
     * A local folder.
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
        public Folder child(String name) {
            return new Folder(path.resolve(name));
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /**
     * A bucket of an S3 service, or the part of it under a prefix.
     *
     * @param endpoint    address of the service
     * @param region      region of the bucket
     * @param name        name of the bucket
     * @param prefix      prefix of the objects' names; empty, or without a slash at its end
     * @param credentials the keys
     */
    record Bucket(URI endpoint, String region, String name, String prefix, S3Credentials credentials)
            implements StoreLocation {

        private static final Pattern FORM = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/+(.*?))?/*");

        private static Bucket parse(String text, S3Environment environment) {
            Matcher matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "a bucket is written s3://bucket/prefix, its name 3 to 63 lower-case letters, digits, '.' and '-'; not '%s'"
                                .formatted(ShownAddress.of(text)));
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
        public Bucket child(String folder) {
            return new Bucket(endpoint, region, name, namePrefix() + folder, credentials);
        }

        @Override
        public String toString() {
            return "s3://" + name + (prefix.isEmpty() ? "" : "/" + prefix);
        }
    }

    /**
     * Reads a location.
     *
     * @param what        the kind of objects, for messages, such as {@code checkpoints}
     * @param text        a path, or {@code s3://bucket/prefix}
     * @param environment returns the value of a variable, or null if it is not set; only used for a bucket:
     *     {@code S3_ENDPOINT}, {@code S3_ACCESS_KEY} and {@code S3_SECRET_KEY}, or the names of files that hold them in
     *     {@code S3_ACCESS_KEY_FILE} and {@code S3_SECRET_KEY_FILE}, and {@code S3_REGION}
     * @throws IllegalArgumentException if the text is neither, or a variable is missing or wrong; the message says what
     *     to write instead
     */
    static StoreLocation parse(String what, String text, Function<String, @Nullable String> environment) {
        if (text.startsWith("s3:")) {
            return Bucket.parse(text, new S3Environment(text, environment));
        }
        if (text.isBlank() || text.contains("://")) {
            throw new IllegalArgumentException(
                    "%s lie in a folder or in s3://bucket/prefix, not in '%s'".formatted(what, ShownAddress.of(text)));
        }
        try {
            return new Folder(Path.of(text));
        } catch (InvalidPathException invalid) {
            throw new IllegalArgumentException("not the path of a folder: " + invalid.getMessage(), invalid);
        }
    }

    /** Opens the store. Creates nothing and sends nothing. */
    ObjectStore open();

    /** Returns the prefix of all object names in this location. */
    String namePrefix();

    /** Returns the part of this location under a name of its own, which has no slash. */
    StoreLocation child(String name);
}
