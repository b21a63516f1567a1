package org.fleetgrad.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.fleetgrad.datasets.TableDataset;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.files.Sha256;

/** Compares tables by the shards that are made of them. */
final class SameTables {

    private SameTables() {}

    /** Checks that notes and shards are the same, byte for byte. */
    static void requireSame(TableDataset found, TableDataset expected, Path folder) throws IOException {
        assertThat(found.notes()).isEqualTo(expected.notes());
        assertThat(found.schema()).isEqualTo(expected.schema());
        assertThat(digests(found, Files.createTempDirectory(folder, "found")))
                .isEqualTo(digests(expected, Files.createTempDirectory(folder, "expected")));
    }

    private static Map<String, String> digests(TableDataset table, Path shards) throws IOException {
        Object unused = ShardSet.write(shards, table, 2);
        Map<String, String> digests = new TreeMap<>();
        try (Stream<Path> files = Files.list(shards)) {
            for (Path file : files.toList()) {
                digests.put(file.getFileName().toString(), Sha256.of(file));
            }
        }
        return digests;
    }
}
