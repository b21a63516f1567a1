package org.fleetgrad.tools.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fleetgrad.datasets.shard.DatasetDescription;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.InvalidShardException;
import org.fleetgrad.datasets.shard.InvalidShardException.ShardRule;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.files.Sha256;
import org.jspecify.annotations.Nullable;

/** Checks every byte of shards: one file, the set of a manifest, or all archives of a folder. */
public final class ShardVerification {

    private static final String ARCHIVE_SUFFIX = ".tar.gz";

    /**
     * The result for one file.
     *
     * @param file        the file
     * @param description its description, if it is valid
     * @param problem     the rule that it breaks, if it is invalid
     */
    public record Finding(
            Path file,
            @Nullable DatasetDescription description,
            @Nullable String problem) {

        /** Returns whether the file is valid. */
        public boolean isValid() {
            return problem == null;
        }
    }

    private final ShardLimits limits;

    /** Accepts shards within {@code limits}. */
    public ShardVerification(ShardLimits limits) {
        this.limits = limits;
    }

    /**
     * Checks a shard, a manifest with its shards, or a folder of either; continues after an invalid file.
     *
     * @throws NoSuchFileException if there is nothing to check
     */
    public List<Finding> verify(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            Path manifest = path.resolve(ShardManifest.FILE_NAME);
            return Files.exists(manifest) ? verifySet(manifest) : verifyFolder(path);
        }
        if (path.endsWith(ShardManifest.FILE_NAME)) {
            return verifySet(path);
        }
        return List.of(verifyFile(path));
    }

    private List<Finding> verifyFolder(Path folder) throws IOException {
        List<Path> archives;
        try (Stream<Path> files = Files.list(folder)) {
            archives = files.filter(file -> file.toString().endsWith(ARCHIVE_SUFFIX))
                    .sorted()
                    .toList();
        }
        if (archives.isEmpty()) {
            throw new NoSuchFileException(
                    folder.toString(), null, "neither %s nor *%s".formatted(ShardManifest.FILE_NAME, ARCHIVE_SUFFIX));
        }
        List<Finding> findings = new ArrayList<>();
        for (Path archive : archives) {
            findings.add(verifyFile(archive));
        }
        return findings;
    }

    private Finding verifyFile(Path file) throws IOException {
        try {
            return new Finding(file, ShardArchive.read(file, limits).description(), null);
        } catch (InvalidShardException invalid) {
            return new Finding(file, null, invalid.getMessage());
        }
    }

    private List<Finding> verifySet(Path file) throws IOException {
        List<Finding> findings = new ArrayList<>();
        try {
            ShardManifest manifest = ShardManifest.read(file);
            for (ShardManifest.Entry entry : manifest.shards()) {
                findings.add(verifyEntry(file, manifest, entry));
            }
            requireWhole(file, manifest);
            findings.add(new Finding(file, null, null));
        } catch (InvalidShardException invalid) {
            findings.add(new Finding(file, null, invalid.getMessage()));
        }
        return findings;
    }

    private Finding verifyEntry(Path manifestFile, ShardManifest manifest, ShardManifest.Entry entry)
            throws IOException {
        Path file = manifestFile.resolveSibling(entry.file());
        if (!Files.isRegularFile(file)) {
            return broken(file, "the manifest lists it, but it is missing");
        }
        long bytes = Files.size(file);
        if (bytes != entry.bytes()) {
            return broken(file, "it has %d bytes, the manifest states %d".formatted(bytes, entry.bytes()));
        }
        String sha256 = Sha256.of(file);
        if (!sha256.equals(entry.sha256())) {
            return broken(file, "it has the SHA-256 %s, the manifest states %s".formatted(sha256, entry.sha256()));
        }
        Finding finding = verifyFile(file);
        DatasetDescription description = finding.description();
        return description == null || agrees(manifest, entry, description)
                ? finding
                : broken(file, "its dataset.json differs from the manifest");
    }

    private static boolean agrees(ShardManifest manifest, ShardManifest.Entry entry, DatasetDescription description) {
        return description.name().equals(manifest.name())
                && description.schema().equals(manifest.schema())
                && description.split() == entry.split()
                && description.range().equals(entry.range());
    }

    /** The shards of a split must cover it from its first sample to its last, each sample exactly once. */
    private static void requireWhole(Path file, ShardManifest manifest) throws InvalidShardException {
        Map<Split, SampleRange> last = new EnumMap<>(Split.class);
        for (ShardManifest.Entry entry : manifest.shards()) {
            SampleRange before = last.put(entry.split(), entry.range());
            int due = before == null ? 0 : before.end();
            if (entry.range().first() != due
                    || (before != null && before.total() != entry.range().total())) {
                throw new InvalidShardException(
                        file.toString(),
                        ShardRule.MANIFEST,
                        "shard %s has %s where sample %d was expected".formatted(entry.file(), entry.range(), due));
            }
        }
        for (Map.Entry<Split, SampleRange> end : last.entrySet()) {
            if (end.getValue().end() != end.getValue().total()) {
                throw new InvalidShardException(
                        file.toString(),
                        ShardRule.MANIFEST,
                        "the %s shards end at sample %d of %d"
                                .formatted(
                                        end.getKey().text(),
                                        end.getValue().end(),
                                        end.getValue().total()));
            }
        }
    }

    private static Finding broken(Path file, String detail) {
        return new Finding(
                file, null, new InvalidShardException(file.toString(), ShardRule.MANIFEST, detail).getMessage());
    }
}
