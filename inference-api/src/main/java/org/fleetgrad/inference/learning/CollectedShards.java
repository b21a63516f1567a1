package org.fleetgrad.inference.learning;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.datasets.Labels;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.inference.learning.OpenShard.Sample;

/**
 * The folder of collected shards: {@code feedback-00000012-of-1000-samples.tar.gz} and so on. Whoever puts them to work moves them away. Those that
 * wait take a bounded number of bytes: the oldest make room. Confined to one thread.
 */
final class CollectedShards {

    /** Name of the dataset in the shards. */
    static final String DATASET = "feedback";

    private static final Pattern NAME = Pattern.compile("feedback-(\\d{8})-of-(\\d{1,9})-samples\\.tar\\.gz");

    private final Path folder;
    private final long most;
    private int next;

    /**
     * Opens a folder, and deletes what a killed service left unfinished in it.
     *
     * @param folder created if it is missing
     * @param most   bytes of the shards that wait
     */
    CollectedShards(Path folder, long most) throws IOException {
        this.folder = folder;
        this.most = most;
        Files.createDirectories(folder);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(file -> AtomicFile.isUnfinished(name(file))).toList()) {
                Files.deleteIfExists(file);
            }
        }
        for (Path file : waiting()) {
            next = Math.max(
                    next, 1 + Integer.parseInt(name(file).substring(DATASET.length() + 1, DATASET.length() + 9)));
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    /** Returns the shards that wait, the oldest first. */
    List<Path> waiting() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> NAME.matcher(name(file)).matches())
                    .sorted()
                    .toList();
        }
    }

    /**
     * Writes a shard; when this returns, it survives a crash.
     *
     * @return samples of the shards that made room for it
     */
    long write(ImageSchema schema, List<Sample> samples) throws IOException {
        int bytes = samples.get(0).pixels().length;
        byte[] images = new byte[Math.multiplyExact(bytes, samples.size())];
        int[] labels = new int[samples.size()];
        for (int i = 0; i < labels.length; i++) {
            System.arraycopy(samples.get(i).pixels(), 0, images, i * bytes, bytes);
            labels[i] = samples.get(i).label();
        }
        List<Integer> shape = schema.shape();
        Shard shard = Shard.of(
                DATASET,
                Split.TRAIN,
                schema,
                new SampleRange(0, labels.length, labels.length),
                new ImageSamples(shape.get(0), shape.get(1), shape.get(2), images, Labels.of(labels)));
        ShardArchive.write(shard, folder.resolve("feedback-%08d-of-%d-samples.tar.gz".formatted(next, labels.length)));
        next++;
        return makeRoom();
    }

    private long makeRoom() throws IOException {
        List<Path> waiting = new ArrayList<>(waiting());
        long bytes = 0;
        for (Path file : waiting) {
            bytes += size(file);
        }
        long dropped = 0;
        while (bytes > most && waiting.size() > 1) {
            Path oldest = waiting.remove(0);
            long size = size(oldest);
            bytes -= size;
            // It may have been moved to the work meanwhile.
            if (Files.deleteIfExists(oldest)) {
                Matcher named = NAME.matcher(name(oldest));
                dropped += named.matches() ? Long.parseLong(named.group(2)) : 0;
            }
        }
        return dropped;
    }

    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException moved) {
            return 0;
        }
    }
}
