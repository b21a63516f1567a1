package org.fleetgrad.tools.work;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.shard.InvalidShardException;
import org.fleetgrad.datasets.shard.InvalidShardException.ShardRule;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.store.ObjectName;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.StoredObject;

/** Plans a run's work: the training shards that a manifest in a store names. */
public final class DatasetWork {

    private final ObjectStore store;
    private final String prefix;

    /**
     * Prepares to read a dataset.
     *
     * @param prefix beginning of its objects' names
     */
    public DatasetWork(ObjectStore store, String prefix) {
        this.store = store;
        this.prefix = prefix;
    }

    /**
     * Reads the manifest, checks that every training shard exists with the right length, and creates an address for each. An
     * address is valid for {@code expiry}; in a folder it does not expire.
     *
     * @param epochs passes over the dataset; 0 for no end
     * @throws InvalidShardException if the manifest is invalid, or the length of a shard differs
     * @throws NoSuchFileException   if the manifest or a shard is missing
     * @throws IllegalArgumentException if the manifest's shards are not a valid work plan
     */
    public WorkPlan plan(long epochs, Duration expiry) throws IOException {
        ObjectName manifest = new ObjectName(prefix + ShardManifest.FILE_NAME);
        ShardManifest read;
        try (InputStream in = store.get(manifest)) {
            read = ShardManifest.read(manifest.text(), in);
        }
        Map<String, Long> present = new HashMap<>();
        for (StoredObject object : store.list(prefix)) {
            present.put(object.name(), object.bytes());
        }
        List<PlannedShard> shards = new ArrayList<>();
        for (ShardManifest.Entry entry : read.of(Split.TRAIN)) {
            ObjectName name = new ObjectName(prefix + entry.file());
            requireWhole(name, entry.bytes(), present);
            shards.add(new PlannedShard(
                    entry.file(),
                    store.presign(name, expiry).toString(),
                    entry.range().count()));
        }
        return new WorkPlan(read.name(), epochs, shards);
    }

    private static void requireWhole(ObjectName name, long stated, Map<String, Long> present) throws IOException {
        Long bytes = present.get(name.text());
        if (bytes == null) {
            throw new NoSuchFileException(name.text(), null, "the manifest names it");
        }
        if (bytes != stated) {
            throw new InvalidShardException(
                    name.text(),
                    ShardRule.MANIFEST,
                    "it has %d bytes, the manifest states %d".formatted(bytes, stated));
        }
    }
}
