package org.fleetgrad.datasets.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.files.Sha256;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that prepares a table is killed, by {@code kill -9}. */
@Tag("whole")
class KilledPreparationTest {

    private static final int SHARDS = 400;

    @TempDir
    private Path folder;

    private Process prepare(Path table, Path shards) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        PreparingProgram.class.getName(),
                        table.toString(),
                        shards.toString(),
                        Integer.toString(SHARDS))
                .redirectError(folder.resolve("stderr").toFile())
                .start();
    }

    private static Map<String, String> digests(Path shards) throws IOException {
        Map<String, String> digests = new TreeMap<>();
        try (Stream<Path> files = Files.list(shards)) {
            for (Path file : files.toList()) {
                digests.put(file.getFileName().toString(), Sha256.of(file));
            }
        }
        return digests;
    }

    @Test
    void shouldLeaveNoManifestAndBeginAgainCleanly() throws Exception {
        StringBuilder rows = new StringBuilder("x,z,y");
        for (int i = 0; i < 20_000; i++) {
            rows.append(";%d,%d,%d".formatted(i % 7919, i % 13, (long) i * i % 104_729));
        }
        Path table = TestTables.write(folder, "a.csv", rows.toString());
        ShardSet expected = ShardSet.write(folder.resolve("expected"), TestTables.read(table, "y"), SHARDS);
        Path shards = folder.resolve("shards");
        // An earlier set must not make the half one look whole.
        ShardSet.write(shards, TestTables.read(table, "y"), 2);

        Process killed = prepare(table, shards);
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(killed.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine())
                    .as(Files.readString(folder.resolve("stderr")))
                    .isEqualTo("1");
            killed.destroyForcibly().waitFor();
        }
        assertThat(shards.resolve(ShardManifest.FILE_NAME)).doesNotExist();
        assertThat(shards.resolve(expected.train().get(SHARDS - 1).getFileName()))
                .as("it was killed before its end")
                .doesNotExist();

        // As a writer leaves it that is killed in the middle of a shard.
        Files.writeString(shards.resolve(".a-test.tar.gz.00000000-0000-4000-8000-000000000000.tmp"), "half");
        Process again = prepare(table, shards);
        again.getInputStream().readAllBytes();
        assertThat(again.waitFor())
                .as(Files.readString(folder.resolve("stderr")))
                .isZero();

        Map<String, String> found = digests(shards);
        assertThat(found).containsAllEntriesOf(digests(folder.resolve("expected")));
        assertThat(found.keySet()).noneMatch(name -> name.endsWith(".tmp"));
    }
}
