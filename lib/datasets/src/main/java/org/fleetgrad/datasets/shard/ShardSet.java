package org.fleetgrad.datasets.shard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.ImageDataset;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.Schema;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.files.Sha256;

/**
 * A dataset cut into shards in one folder.
 *
 * @param train    the training shards, in the order of their samples
 * @param samples  number of samples of each of them
 * @param test     the one test shard
 * @param manifest the {@code manifest.json}, written last
 */
public record ShardSet(List<Path> train, List<Integer> samples, Path test, Path manifest) {

    /** Called after each shard is written. */
    @FunctionalInterface
    public interface Listener {

        /** Receives the file, and how many of {@code total} files are written. */
        void onShard(Path file, int written, int total);
    }

    public ShardSet {
        train = List.copyOf(train);
        samples = List.copyOf(samples);
    }

    /** Returns all files: training shards, test shard, manifest. */
    public List<Path> files() {
        return Stream.concat(train.stream(), Stream.of(test, manifest)).toList();
    }

    /**
     * Writes {@code shards} training shards, one test shard and the manifest, with the normalization of the training
     * samples and the classes of the name ({@link ClassNames}).
     */
    public static ShardSet write(Path folder, String name, ImageSamples train, ImageSamples test, int shards)
            throws IOException {
        List<String> classes = ClassNames.of(name, Math.max(train.largestLabel(), test.largestLabel()));
        return write(folder, new ImageDataset(name, classes, train, test), shards);
    }

    /** Writes {@code shards} training shards, one test shard and the manifest, with the dataset's own schema. */
    public static ShardSet write(Path folder, Dataset dataset, int shards) throws IOException {
        return write(folder, dataset, shards, dataset.schema(), (file, written, total) -> {});
    }

    /**
     * Writes {@code shards} training shards, one test shard and the manifest into {@code folder}, which is created if
     * missing. Files of the same names are replaced, each atomically; other files are left unchanged.
     *
     * @throws IllegalArgumentException if there are more shards than training samples, or the schema does not fit them
     */
    public static ShardSet write(Path folder, Dataset dataset, int shards, Schema schema, Listener listener)
            throws IOException {
        String name = dataset.name();
        Samples train = dataset.train();
        Samples test = dataset.test();
        Files.createDirectories(folder);
        // Until all shards are there, no manifest is: whatever ends this program now leaves nothing that looks whole.
        Files.deleteIfExists(folder.resolve(ShardManifest.FILE_NAME));
        deleteUnfinished(folder);
        List<ShardManifest.Entry> entries = new ArrayList<>();
        for (SampleRange range : SampleRange.cut(train.count(), shards)) {
            String file = "%s-train-%05d-of-%05d.tar.gz".formatted(name, entries.size(), shards);
            Samples samples = train.slice(range.first(), range.end());
            Shard shard = Shard.of(name, Split.TRAIN, schema, range, samples);
            entries.add(write(folder, file, shard));
            listener.onShard(folder.resolve(file), entries.size(), shards + 1);
        }
        SampleRange all = new SampleRange(0, test.count(), test.count());
        String testName = name + "-test.tar.gz";
        entries.add(write(folder, testName, Shard.of(name, Split.TEST, schema, all, test)));
        Path testFile = folder.resolve(testName);
        listener.onShard(testFile, shards + 1, shards + 1);
        Path manifest = new ShardManifest(name, schema, entries).write(folder);
        List<Path> trainFiles = entries.stream()
                .limit(shards)
                .map(entry -> folder.resolve(entry.file()))
                .toList();
        List<Integer> samples = entries.stream()
                .limit(shards)
                .map(entry -> entry.range().count())
                .toList();
        return new ShardSet(trainFiles, samples, testFile, manifest);
    }

    /** A writer that was killed may have left a file under its temporary name. */
    private static void deleteUnfinished(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(
                            file -> AtomicFile.isUnfinished(file.getFileName().toString()))
                    .toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static ShardManifest.Entry write(Path folder, String name, Shard shard) throws IOException {
        Path file = folder.resolve(name);
        ShardArchive.write(shard, file);
        return new ShardManifest.Entry(
                name, shard.description().split(), shard.description().range(), Files.size(file), Sha256.of(file));
    }
}
