package org.fleetgrad.checkpoints;

import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.store.Credentials;
import org.fleetgrad.store.FolderStore;
import org.fleetgrad.store.ObjectName;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.S3Store;
import org.jspecify.annotations.Nullable;

/**
 * Where checkpoints are kept: a folder, or {@code s3://bucket/prefix} on the service of {@code S3_ENDPOINT}. Its text form
 * is what was parsed, and never shows keys.
 *
 * @param place a folder or a bucket
 */
public record CheckpointLocation(Place place) {

    private static final Pattern S3 = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/+(.*?))?/*");

    /** A folder or a bucket. */
    public sealed interface Place {}

    /**
     * A folder of this machine.
     *
     * @param path its path
     */
    public record Folder(Path path) implements Place {

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
    public record Bucket(URI endpoint, String region, String name, String prefix, Credentials credentials)
            implements Place {

        @Override
        public String toString() {
            return "s3://" + name + (prefix.isEmpty() ? "" : "/" + prefix);
        }
    }

    /**
     * Reads a location.
     *
     * @param text        a path, or {@code s3://bucket/prefix}
     * @param environment value of a variable, null where it is not set; asked for a bucket only: {@code S3_ENDPOINT},
     *     {@code S3_ACCESS_KEY} and {@code S3_SECRET_KEY}, or the names of files that hold them in
     *     {@code S3_ACCESS_KEY_FILE} and {@code S3_SECRET_KEY_FILE}, and {@code S3_REGION}
     * @throws IllegalArgumentException when the text is neither, or a variable is missing or wrong; the message says what
     *     to write instead
     */
    public static CheckpointLocation parse(String text, Function<String, @Nullable String> environment) {
        if (text.startsWith("s3:")) {
            return new CheckpointLocation(bucket(text, new S3Environment(text, environment)));
        }
        if (text.isBlank() || text.contains("://")) {
            throw new IllegalArgumentException(
                    "checkpoints lie in a folder or in s3://bucket/prefix, not in '%s'".formatted(text));
        }
        try {
            return new CheckpointLocation(new Folder(Path.of(text)));
        } catch (InvalidPathException invalid) {
            throw new IllegalArgumentException("not a folder's path: " + invalid.getMessage(), invalid);
        }
    }

    private static Bucket bucket(String text, S3Environment environment) {
        Matcher matcher = S3.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "a bucket is written s3://bucket/prefix, its name 3 to 63 lower-case letters, digits, '.' and '-'; not '%s'"
                            .formatted(text));
        }
        String prefix = Optional.ofNullable(matcher.group(2)).orElse("");
        // The longest name there will be: a prefix that allows it allows all.
        new ObjectName((prefix.isEmpty() ? "" : prefix + "/") + "checkpoint-000000000000/" + "x".repeat(100));
        return new Bucket(
                environment.endpoint(), environment.region(), matcher.group(1), prefix, environment.credentials());
    }

    /** Returns the folder; nothing for a bucket. */
    public Optional<Path> folder() {
        return place instanceof Folder folder ? Optional.of(folder.path()) : Optional.empty();
    }

    /** Opens the store; nothing is made or sent. */
    ObjectStore openStore() {
        if (place instanceof Bucket bucket) {
            return new S3Store(bucket.endpoint(), bucket.region(), bucket.name(), bucket.credentials());
        }
        return new FolderStore(folder().orElseThrow());
    }

    /** Returns what the names of objects begin with. */
    String prefix() {
        return place instanceof Bucket bucket && !bucket.prefix().isEmpty() ? bucket.prefix() + "/" : "";
    }

    @Override
    public String toString() {
        return place.toString();
    }
}
