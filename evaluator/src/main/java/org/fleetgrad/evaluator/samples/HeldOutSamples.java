package org.fleetgrad.evaluator.samples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.folder.DatasetFolder;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.shard.InvalidShardException;
import org.fleetgrad.datasets.shard.InvalidShardException.ShardRule;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.serving.evaluation.TestSet;

/** Reads the held-out samples of a dataset on this machine. */
public final class HeldOutSamples {

    /** The folder in which a run stores its shards. */
    private static final String SHARDS = "shards";

    private HeldOutSamples() {}

    /**
     * Reads samples.
     *
     * @param data    a folder with a dataset, of which the test split is taken; a folder of shards, or of a run, whose
     *     manifest names the test shard; a file of texts or rows; or a test shard's file
     * @param options the user's options for a dataset's folder
     * @throws NoSuchFileException      if there is none of these
     * @throws InvalidShardException    if a shard differs from its manifest
     * @throws IllegalArgumentException if it is a training shard, by its own description or by the manifest beside it
     */
    public static TestSet read(Path data, FolderOptions options) throws IOException {
        if (Files.isRegularFile(data) && !DatasetFolder.isFile(data)) {
            requireNoTrainingShard(data);
            return TestSet.of(ShardArchive.read(data));
        }
        Optional<Path> shards = shardsOf(data);
        if (shards.isPresent()) {
            return TestSet.of(ShardArchive.read(testShard(shards.get())));
        }
        Dataset dataset = DatasetFolder.read(data, options);
        return new TestSet(dataset.test(), dataset.schema());
    }

    private static Optional<Path> shardsOf(Path folder) {
        return List.of(folder, folder.resolve(SHARDS)).stream()
                .filter(place -> Files.isRegularFile(place.resolve(ShardManifest.FILE_NAME)))
                .findFirst();
    }

    private static Path testShard(Path folder) throws IOException {
        Path manifest = folder.resolve(ShardManifest.FILE_NAME);
        List<ShardManifest.Entry> tests = ShardManifest.read(manifest).of(Split.TEST);
        if (tests.size() != 1) {
            throw new InvalidShardException(
                    manifest.toString(),
                    ShardRule.MANIFEST,
                    "it names %d test shards; it must name 1".formatted(tests.size()));
        }
        ShardManifest.Entry stated = tests.get(0);
        Path shard = folder.resolve(stated.file());
        long bytes = Files.size(shard);
        String sha256 = Sha256.of(shard);
        if (bytes != stated.bytes() || !sha256.equals(stated.sha256())) {
            throw new InvalidShardException(
                    shard.toString(),
                    ShardRule.MANIFEST,
                    "it has %d bytes and the SHA-256 %s, the manifest states %d and %s"
                            .formatted(bytes, sha256, stated.bytes(), stated.sha256()));
        }
        return shard;
    }

    private static void requireNoTrainingShard(Path shard) throws IOException {
        Path manifest = shard.resolveSibling(ShardManifest.FILE_NAME);
        if (!Files.isRegularFile(manifest)) {
            return;
        }
        String name = String.valueOf(shard.getFileName());
        boolean isTrained = ShardManifest.read(manifest).of(Split.TRAIN).stream()
                .anyMatch(entry -> entry.file().equals(name));
        if (isTrained) {
            throw new IllegalArgumentException(
                    "%s is a training shard, says %s: accuracy on training samples is no measure; pass the test shard, or the folder"
                            .formatted(shard, manifest));
        }
    }
}
