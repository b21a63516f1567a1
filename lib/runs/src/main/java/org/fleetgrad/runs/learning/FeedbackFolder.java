package org.fleetgrad.runs.learning;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.datasets.shard.FeedbackShardName;
import org.fleetgrad.files.DurableFolder;

/**
 * Shards of feedback in a run's folder. The inference API writes them into {@code feedback}. When one is put to work, it moves into the folder
 * of the run's shards, from which workers read, and gets its number: one rename, which a kill leaves done or not done.
 *
 * @param collected the folder of those that wait
 * @param shards    the folder of the run's shards
 */
public record FeedbackFolder(Path collected, Path shards) {

    /** Name of the folder of those that wait, beside that of the run's shards. */
    public static final String NAME = "feedback";

    /** Bytes of the shards that wait, and of those that were put to work: twice as many in all. */
    static final long MOST_BYTES = 128_000_000;

    /** Largest share of an epoch's samples. */
    private static final double SHARE = 0.1;

    private static final int SHARDS_AN_EPOCH = 5;
    private static final int MOST_SAMPLES = 1000;

    /** Returns the folder of a run. */
    public static FeedbackFolder of(Path shards) {
        return new FeedbackFolder(shards.resolveSibling(NAME), shards);
    }

    /**
     * A shard that was put to work.
     *
     * @param number of it in the work
     * @param file   in the folder of the run's shards
     */
    record Numbered(long number, Path file, long samples) {}

    /**
     * Returns the settings with which an inference API collects shards.
     *
     * @param train training samples of the dataset: the feedback of an epoch fills a few shards
     */
    public Map<String, String> environment(long train) {
        long samples = (long) (SHARE * (double) train) / SHARDS_AN_EPOCH;
        return Map.of(
                "INFERENCE_FEEDBACK_LEARN_FOLDER",
                collected.toString(),
                "INFERENCE_FEEDBACK_LEARN_SHARDSAMPLES",
                Long.toString(Math.max(1, Math.min(samples, MOST_SAMPLES))),
                "INFERENCE_FEEDBACK_LEARN_SHARDAGE",
                "10s",
                "INFERENCE_FEEDBACK_LEARN_FOLDERSIZE",
                MOST_BYTES + "B");
    }

    /** Returns the shards that wait, the oldest first. */
    List<Path> waiting() throws IOException {
        if (!Files.isDirectory(collected)) {
            return List.of();
        }
        return numbered(collected).stream().map(Numbered::file).toList();
    }

    /** Returns the shards that were put to work and are still there, by their numbers. */
    List<Numbered> atWork() throws IOException {
        return numbered(shards);
    }

    /** Only files are shards: a pipe would be awaited, and a link would give workers what lies elsewhere. */
    private static List<Numbered> numbered(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(FeedbackFolder::numberOf)
                    .flatMap(Optional::stream)
                    .sorted(Comparator.comparing(Numbered::number))
                    .toList();
        }
    }

    private static Optional<Numbered> numberOf(Path file) {
        return FeedbackShardName.of(file).map(name -> new Numbered(name.number(), file, name.samples()));
    }

    /**
     * Moves a shard that waited to the run's shards; when this returns, that survives a crash.
     *
     * @return empty if newer shards needed its room meanwhile
     */
    Optional<Numbered> take(Path waiting, long number, long samples) throws IOException {
        Path file = shards.resolve(new FeedbackShardName(number, samples).fileName());
        try {
            Path moved = Files.move(waiting, file, StandardCopyOption.ATOMIC_MOVE);
            DurableFolder.force(shards);
            DurableFolder.force(collected);
            return Optional.of(new Numbered(number, moved, samples));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        }
    }

    /** Deletes the oldest of the shards up to a number, which are done, until the rest is small enough. */
    void makeRoom(long last) throws IOException {
        List<Numbered> all = new ArrayList<>(atWork());
        long bytes = 0;
        for (Numbered each : all) {
            bytes += Files.size(each.file());
        }
        for (Numbered each : all) {
            if (bytes <= MOST_BYTES || each.number() > last) {
                return;
            }
            bytes -= Files.size(each.file());
            Files.delete(each.file());
        }
    }
}
