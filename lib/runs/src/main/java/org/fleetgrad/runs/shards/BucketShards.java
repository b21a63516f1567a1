package org.fleetgrad.runs.shards;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.fleetgrad.store.ObjectName;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.StoreLocation;

/**
 * The shards of a run in a bucket, under the run's own prefix, until the run ends. Workers get presigned URLs and need no
 * keys of the bucket.
 */
public final class BucketShards implements ShardHost {

    /** Time for which an address is valid; the run renews the addresses of its work long before it ends. */
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
     * Uploads the shards; creates the bucket if it is missing.
     *
     * @param run    unique name of the run
     * @param teller receives one line for the shards that could not be deleted at the end
     */
    public static BucketShards upload(
            StoreLocation.Bucket location, String run, List<Path> shards, Consumer<String> teller) throws IOException {
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

    /** Deletes the shards. */
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
