package org.fleetgrad.checkpoints;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.fleetgrad.store.ObjectName;
import org.fleetgrad.store.StoreLocation;
import org.jspecify.annotations.Nullable;

/**
 * The place of the checkpoints: a folder, or {@code s3://bucket/prefix} on the service of {@code S3_ENDPOINT}. The text
 * form is the parsed text, and never contains keys.
 *
 * @param place a folder or a bucket
 */
public record CheckpointLocation(StoreLocation place) {

    private static final String BEST = "best";

    /** The longest name in a location: if the prefix allows this name, it allows all others. */
    private static final String LONGEST_NAME = "checkpoint-000000000000/" + "x".repeat(100);

    public CheckpointLocation {
        new ObjectName(place.namePrefix() + LONGEST_NAME);
    }

    /**
     * Reads a location.
     *
     * @param text        a path, or {@code s3://bucket/prefix}
     * @param environment returns the value of a variable, or null if it is not set; only used for a bucket
     * @throws IllegalArgumentException when the text is neither, or a variable is missing or wrong; the message says
     *     what to write instead
     */
    public static CheckpointLocation parse(String text, Function<String, @Nullable String> environment) {
        CheckpointLocation parsed = new CheckpointLocation(StoreLocation.parse("checkpoints", text, environment));
        // Its names are a little longer: a prefix that is too long for them is refused before a run begins.
        CheckpointLocation unused = parsed.best();
        return parsed;
    }

    /** Makes the location of a local folder. */
    public static CheckpointLocation inFolder(Path path) {
        return new CheckpointLocation(new StoreLocation.Folder(path));
    }

    /** Returns the place of the best version of the run whose checkpoints are here. */
    CheckpointLocation best() {
        return new CheckpointLocation(place.child(BEST));
    }

    /** Returns the folder; empty for a bucket. */
    public Optional<Path> folder() {
        return place instanceof StoreLocation.Folder folder ? Optional.of(folder.path()) : Optional.empty();
    }

    @Override
    public String toString() {
        return place.toString();
    }
}
