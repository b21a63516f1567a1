package org.fleetgrad.tools.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ShardTableTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir
    private Path folder;

    @Test
    void shouldCutATableIntoShards() throws IOException {
        Path table = Files.writeString(folder.resolve("sales.csv"), "id,size,price\n7,2,5\n8,4,9\n5,3,1\n6,3,2\n");
        Path out = folder.resolve("tables");

        Cli sharded =
                Cli.run("shard", table, "--target", "price", "--drop", "id", "--shards", 3, "--out", out, "--json");

        assertThat(sharded.exitCode()).as(sharded.err()).isZero();
        JsonNode json = MAPPER.readTree(sharded.out());
        assertThat(json.get("name").stringValue()).isEqualTo("sales");
        assertThat(json.get("shape").toString()).isEqualTo("[1]");
        assertThat(json.get("notes").get(1).stringValue())
                .isEqualTo("id      drop         4        0  left out: as said");
        assertThat(Cli.run("verify", out).exitCode()).isZero();
        assertThat(Cli.run("shard", table, "--column", "id:drop", "--shards", 3, "--out", folder)
                        .err())
                .contains("columns (--column, --drop) are of tables, which need --target COLUMN; 1 are named: id");
    }

    @Test
    void shouldCutAParquetFileAsTheCsvAndRefuseABrokenOne() throws IOException {
        Path files = RepositoryRoot.path().resolve("lib/parquet/src/test/resources/org/fleetgrad/parquet");
        Path csv = Files.copy(files.resolve("types.csv"), folder.resolve("sales.csv"));
        Path parquet = Files.copy(files.resolve("snappy.parquet"), folder.resolve("sales.parquet"));
        List<String> shards = List.of("sales-train-00000-of-00002.tar.gz", "sales-train-00001-of-00002.tar.gz");

        for (Path table : List.of(csv, parquet)) {
            Cli sharded = Cli.run("shard", table, "--target", "y", "--shards", 2, "--out", outOf(table));
            assertThat(sharded.exitCode()).as(sharded.err()).isZero();
        }

        for (String shard : shards) {
            assertThat(outOf(parquet).resolve(shard))
                    .hasSameBinaryContentAs(outOf(csv).resolve(shard));
        }
        byte[] whole = Files.readAllBytes(parquet);
        Files.write(parquet, Arrays.copyOf(whole, whole.length - 1));
        Cli refused = Cli.run("shard", parquet, "--target", "y", "--shards", 2, "--out", folder.resolve("none"));
        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(refused.err()).contains("sales.parquet: it does not begin and end with PAR1, as Parquet files do");
    }

    private Path outOf(Path table) {
        return folder.resolve(table.getFileName() + "-shards");
    }
}
