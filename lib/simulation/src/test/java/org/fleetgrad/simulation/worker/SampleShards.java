package org.fleetgrad.simulation.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.fleetgrad.datasets.Schema;
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

/**
 * A dataset whose samples are their own numbers, in shards of one size. Made once, since worlds share them.
 *
 * @param plan    its shards
 * @param samples how many it has
 * @param added   further shards, whose samples have the next numbers
 */
public record SampleShards(WorkPlan plan, int samples, List<Path> added) {

    private static final TableSchema SCHEMA = new TableSchema(
            List.of(new NumberColumn("number", 0, 1, false)), new ClassTarget("parity", List.of("even", "odd")));

    private static final Map<List<Long>, SampleShards> MADE = new ConcurrentHashMap<>();

    /** Returns so many shards of so many samples each, for some epochs. */
    public static SampleShards of(int shards, int size, long epochs) {
        return of(shards, size, epochs, 0);
    }

    /** Returns so many shards of so many samples each, for some epochs, and some that can be added. */
    public static SampleShards of(int shards, int size, long epochs, int added) {
        return MADE.computeIfAbsent(
                List.of((long) shards, (long) size, epochs, (long) added), key -> make(shards, size, epochs, added));
    }

    /** Returns what its samples are. */
    public static Schema schema() {
        return SCHEMA;
    }

    /** Returns what is asked of its samples. */
    public Task task() {
        return SCHEMA.task();
    }

    private static SampleShards make(int shards, int size, long epochs, int added) {
        try {
            // Its address is a part of a world's history: the same in every process.
            Path folder = Files.createDirectories(Path.of("target/shards-%d-%d-%d".formatted(shards, size, added)));
            List<Path> files = new ArrayList<>();
            for (int s = 0; s < shards + added; s++) {
                files.add(
                        write(folder.resolve("shard-%d.tar.gz".formatted(s)), s * size, size, (shards + added) * size));
            }
            List<PlannedShard> planned = files.subList(0, shards).stream()
                    .map(file -> new PlannedShard(file.getFileName().toString(), file.toString(), size))
                    .toList();
            return new SampleShards(
                    new WorkPlan("numbers", epochs, planned, null),
                    shards * size,
                    List.copyOf(files.subList(shards, files.size())));
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    private static Path write(Path file, int first, int size, int all) throws IOException {
        float[] numbers = new float[size];
        float[] targets = new float[size];
        for (int i = 0; i < size; i++) {
            numbers[i] = first + i;
            targets[i] = i % 2;
        }
        Shard shard = Shard.of(
                "numbers",
                Split.TRAIN,
                SCHEMA,
                new SampleRange(first, size, all),
                new TableSamples(numbers, 1, targets));
        // Another process may read it meanwhile.
        Path written = Files.createTempFile(file.getParent(), "shard", ".part");
        ShardArchive.write(shard, written);
        return Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
