package org.fleetgrad.cli.shards;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.fleetgrad.cli.watch.RunWork;
import org.fleetgrad.store.ObjectName;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.StoreLocation;

/**
 * The shards of a run in a bucket, under a name of the run's own, until it ends. Workers get presigned addresses: they need
 * no keys of the bucket.
 */
public final class BucketShards implements ShardHost {

    /** How long an address lives; {@link RunWork} states the work with new ones long before. */
    public static final Duration LIFETIME = Duration.ofHours(2);

    private final ObjectStore store;
    private final String prefix;
    private final List<Path> shards;
    private final Consumer<String> teller;

    private BucketShards(ObjectStore store, String prefix, List<Path> shards, Consumer<String> teller) {
        this.store = store;
        this.prefix = prefix;
        this.shards = shards;
        this.teller = teller;
    }

    /**
     * Uploads the shards; the bucket is made if it is missing.
     *
     * @param run    name of the run, which no other has
     * @param teller hears what could not be deleted at the end
     */
    public static BucketShards upload(StoreLocation.Bucket location, String run, List<Path> shards, Consumer<String> teller)
            throws IOException {
        BucketShards uploaded = new BucketShards(location.open(), location.namePrefix() + run + "/", shards, teller);
        try {
            uploaded.store.createBucketIfMissing();
            for (Path shard : shards) {
                uploaded.store.put(uploaded.name(shard), shard);
            }
            return uploaded;
        } catch (IOException | RuntimeException failed) {
            uploaded.close();
            throw failed;
        }
    }

    private ObjectName name(Path shard) {
        return new ObjectName(prefix + shard.getFileName());
    }

    @Override
    public String url(Path shard) throws IOException {
        return store.presign(name(shard), LIFETIME).toString();
    }

    /** Deletes them. */
    @Override
    public void close() {
        try (store) {
            for (Path shard : shards) {
                store.delete(name(shard));
            }
        } catch (IOException failed) {
            teller.accept("shards of this run are left in %s under %s: %s"
                    .formatted(store.bucket(), prefix, failed.getMessage()));
        }
    }
}
