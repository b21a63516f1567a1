package org.fleetgrad.simulation.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.datasets.table.NumberColumn;
import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.fleetgrad.networks.Task;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;

/** A dataset whose samples are their own numbers, in shards of one size. Made once, since worlds share them. */
public record SampleShards(WorkPlan plan, int samples) {

    private static final TableSchema SCHEMA = new TableSchema(
            List.of(new NumberColumn("number", 0, 1, false)), new ClassTarget("parity", List.of("even", "odd")));

    private static final Map<List<Long>, SampleShards> MADE = new ConcurrentHashMap<>();

    /** Returns so many shards of so many samples each, for some epochs. */
    public static SampleShards of(int shards, int size, long epochs) {
        return MADE.computeIfAbsent(List.of((long) shards, (long) size, epochs), key -> make(shards, size, epochs));
    }

    /** Returns what is asked of its samples. */
    public Task task() {
        return SCHEMA.task();
    }

    private static SampleShards make(int shards, int size, long epochs) {
        try {
            Path folder = Files.createTempDirectory("shards");
            List<PlannedShard> planned = new ArrayList<>();
            for (int s = 0; s < shards; s++) {
                float[] numbers = new float[size];
                float[] targets = new float[size];
                for (int i = 0; i < size; i++) {
                    numbers[i] = s * size + i;
                    targets[i] = i % 2;
                }
                Shard shard = Shard.of(
                        "numbers",
                        Split.TRAIN,
                        SCHEMA,
                        new SampleRange(s * size, size, shards * size),
                        new TableSamples(numbers, 1, targets));
                Path file = folder.resolve("shard-%d.tar.gz".formatted(s));
                ShardArchive.write(shard, file);
                file.toFile().deleteOnExit();
                planned.add(new PlannedShard(
                        file.getFileName().toString(), file.toUri().toString(), size));
            }
            folder.toFile().deleteOnExit();
            return new SampleShards(new WorkPlan("numbers", epochs, planned, null), shards * size);
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }
}
