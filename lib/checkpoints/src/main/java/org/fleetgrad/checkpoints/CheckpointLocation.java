package org.fleetgrad.checkpoints;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.fleetgrad.store.ObjectName;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.StoreLocation;
import org.jspecify.annotations.Nullable;

/**
 * Where checkpoints are kept: a folder, or {@code s3://bucket/prefix} on the service of {@code S3_ENDPOINT}. Its text form
 * is what was parsed, and never shows keys.
 *
 * @param place a folder or a bucket
 */
public record CheckpointLocation(StoreLocation place) {

    /** The longest name there will be: a prefix that allows it allows all. */
    private static final String LONGEST_NAME = "checkpoint-000000000000/" + "x".repeat(100);

    /** Checks that the names of checkpoints are names there. */
    public CheckpointLocation {
        new ObjectName(place.namePrefix() + LONGEST_NAME);
    }

    /**
     * Reads a location.
     *
     * @param text        a path, or {@code s3://bucket/prefix}
     * @param environment value of a variable, null where it is not set; asked for a bucket only
     * @throws IllegalArgumentException when the text is neither, or a variable is missing or wrong; the message says what
     *     to write instead
     */
    public static CheckpointLocation parse(String text, Function<String, @Nullable String> environment) {
        return new CheckpointLocation(StoreLocation.parse("checkpoints", text, environment));
    }

    /** Takes a folder of this machine. */
    public static CheckpointLocation inFolder(Path path) {
        return new CheckpointLocation(new StoreLocation.Folder(path));
    }

    /** Returns the folder; nothing for a bucket. */
    public Optional<Path> folder() {
        return place instanceof StoreLocation.Folder folder ? Optional.of(folder.path()) : Optional.empty();
    }

    /** Opens the store; nothing is made or sent. */
    ObjectStore openStore() {
        return place.open();
    }

    /** Returns what the names of objects begin with. */
    String prefix() {
        return place.namePrefix();
    }

    @Override
    public String toString() {
        return place.toString();
    }
}
