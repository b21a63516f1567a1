package org.fleetgrad.inference.learning;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.datasets.Labels;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.FeedbackShardName;
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

    private final Path folder;
    private final long most;
    private long next;

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
        // Whatever has such a name, a shard could not have it, too.
        for (Named each : named()) {
            next = Math.max(next, 1 + each.name().number());
        }
    }

    private record Named(FeedbackShardName name, Path file) {

        static Optional<Named> of(Path file) {
            return FeedbackShardName.of(file).map(name -> new Named(name, file));
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    /** Returns the shards that wait, the oldest first. A folder cannot be deleted to make room, and a link has the size of what it names. */
    List<Path> waiting() throws IOException {
        return files().stream().map(Named::file).toList();
    }

    private List<Named> files() throws IOException {
        return named().stream()
                .filter(each -> Files.isRegularFile(each.file(), LinkOption.NOFOLLOW_LINKS))
                .toList();
    }

    private List<Named> named() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Named::of)
                    .flatMap(Optional::stream)
                    .sorted(Comparator.comparing(each -> each.name().number()))
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
        // A number whose name cannot be written is not tried again.
        long number = next++;
        ShardArchive.write(shard, folder.resolve(new FeedbackShardName(number, labels.length).fileName()));
        return makeRoom();
    }

    private long makeRoom() throws IOException {
        List<Named> waiting = new ArrayList<>(files());
        long bytes = 0;
        for (Named each : waiting) {
            bytes += size(each.file());
        }
        long dropped = 0;
        while (bytes > most && waiting.size() > 1) {
            Named oldest = waiting.remove(0);
            long size = size(oldest.file());
            bytes -= size;
            // It may have been moved to the work meanwhile.
            if (Files.deleteIfExists(oldest.file())) {
                dropped += oldest.name().samples();
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
