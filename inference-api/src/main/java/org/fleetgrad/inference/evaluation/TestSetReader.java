package org.fleetgrad.inference.evaluation;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.fleetgrad.datasets.shard.InvalidShardException;
import org.fleetgrad.datasets.shard.InvalidShardException.ShardRule;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.files.transfer.StoreDownload;
import org.fleetgrad.serving.evaluation.TestSet;
import org.fleetgrad.store.ObjectName;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.StoreLocation;
import org.jspecify.annotations.Nullable;

/** Reads the held-out samples from their location. */
public final class TestSetReader {

    private final TestShardLocation location;
    private final Function<String, @Nullable String> environment;

    /**
     * Makes a reader; sends nothing yet.
     *
     * @param environment returns the value of a variable, or null if it is not set; only used for a bucket, as for
     *     checkpoints
     * @throws IllegalArgumentException if the bucket's name, or a variable for it, is invalid
     */
    public TestSetReader(TestShardLocation location, Function<String, @Nullable String> environment) {
        this.location = location;
        this.environment = environment;
        if (location instanceof TestShardLocation.Bucket bucket) {
            StoreLocation unused = store(bucket);
        }
    }

    private StoreLocation store(TestShardLocation.Bucket bucket) {
        return StoreLocation.parse("datasets", bucket.text(), environment);
    }

    TestShardLocation location() {
        return location;
    }

    /**
     * Reads the samples.
     *
     * @throws IOException if they cannot be read now, are not a shard, or differ from the manifest
     */
    TestSet read() throws IOException {
        if (location instanceof TestShardLocation.Url url) {
            return TestSet.of(fetch(url.uri()));
        }
        if (location instanceof TestShardLocation.Bucket bucket) {
            return TestSet.of(ofDataset(store(bucket)));
        }
        Path path = ((TestShardLocation.Local) location).path();
        return TestSet.of(
                Files.isDirectory(path) ? ofDataset(new StoreLocation.Folder(path)) : ShardArchive.read(path));
    }

    private static Shard fetch(URI uri) throws IOException {
        try (InputStream in = new StoreDownload().open(uri)) {
            return ShardArchive.read(in, ShardLimits.DEFAULT);
        }
    }

    /** Reads the test shard that a manifest names, and checks its length and SHA-256. */
    private static Shard ofDataset(StoreLocation place) throws IOException {
        try (ObjectStore store = place.open()) {
            ObjectName manifest = new ObjectName(place.namePrefix() + ShardManifest.FILE_NAME);
            List<ShardManifest.Entry> tests;
            try (InputStream in = store.get(manifest)) {
                tests = ShardManifest.read(manifest.text(), in).of(Split.TEST);
            }
            if (tests.size() != 1) {
                throw new InvalidShardException(
                        manifest.text(),
                        ShardRule.MANIFEST,
                        "it names %d test shards; it must name 1".formatted(tests.size()));
            }
            ObjectName name = new ObjectName(place.namePrefix() + tests.get(0).file());
            byte[] archive;
            try (InputStream in = store.get(name)) {
                archive = verified(name, tests.get(0), in);
            }
            return ShardArchive.read(new ByteArrayInputStream(archive), ShardLimits.DEFAULT);
        }
    }

    private static byte[] verified(ObjectName name, ShardManifest.Entry stated, InputStream in) throws IOException {
        long most = ShardLimits.DEFAULT.totalBytes();
        if (stated.bytes() > most) {
            throw new InvalidShardException(
                    name.text(),
                    ShardRule.TOO_LARGE,
                    "the manifest states %d bytes, the limit is %d".formatted(stated.bytes(), most));
        }
        byte[] archive = in.readNBytes((int) stated.bytes() + 1);
        String sha256 = Sha256.of(ByteBuffer.wrap(archive));
        if (archive.length != stated.bytes() || !sha256.equals(stated.sha256())) {
            throw new InvalidShardException(
                    name.text(),
                    ShardRule.MANIFEST,
                    "its first %d bytes have the SHA-256 %s, the manifest states %d bytes and %s"
                            .formatted(archive.length, sha256, stated.bytes(), stated.sha256()));
        }
        return archive;
    }
}
