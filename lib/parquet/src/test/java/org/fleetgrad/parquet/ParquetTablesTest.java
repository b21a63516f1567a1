package org.fleetgrad.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.TableColumn;
import org.fleetgrad.datasets.table.TableRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParquetTablesTest {

    @TempDir
    private Path folder;

    /** pandas and Arrow wrote both. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "snappy", "gzip", "zstd", "lz4", "pages", "old", "delta", "prefixes"})
    void shouldBeTheTableOfTheCsv(String name) throws IOException {
        Path csv = ParquetFiles.write(folder, "types.csv", "sales.csv");
        Path parquet = ParquetFiles.write(
                Files.createDirectory(folder.resolve("parquet")), name + ".parquet", "sales.parquet");

        SameTables.requireSame(ParquetFiles.read(parquet, "y"), ParquetFiles.read(csv, "y"), folder);
    }

    @Test
    void shouldReadAFolderAndHoldOneFileOut() throws IOException {
        for (String kind : List.of("csv", "parquet")) {
            Path all = Files.createDirectory(folder.resolve(kind));
            String name = kind.equals("csv") ? "types.csv" : "snappy.parquet";
            for (String each : List.of("a.", "b.", "test.")) {
                Path unused = ParquetFiles.write(all, name, each + kind);
            }
            Files.writeString(all.resolve("dataset-name.txt"), "both");
        }

        SameTables.requireSame(
                ParquetFiles.read(folder.resolve("parquet"), "y"),
                ParquetFiles.read(folder.resolve("csv"), "y"),
                folder);
    }

    @Test
    void shouldRefuseTheSameRowsInTwoFormats() throws IOException {
        Path csv = ParquetFiles.write(folder, "types.csv", "a.csv");
        Path parquet = ParquetFiles.write(folder, "snappy.parquet", "a.parquet");

        assertThatThrownBy(() -> ParquetFiles.read(folder, "y"))
                .hasMessage("the same rows may be in %s and %s; keep one of the two", csv, parquet);
    }

    @Test
    void shouldNameColumnsThatNoTableHasAndReadTheOthersWithoutThem() throws IOException {
        Path file = ParquetFiles.write(folder, "nested.parquet", "a.parquet");

        assertThatThrownBy(() -> ParquetFiles.read(file, "y"))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessage(
                        "%s: columns of a table are numbers, texts, dates, and true and false; others are 'tags', which is a list, a map"
                                + " or a structure, 'picture', which is binary, 'place', which is a list, a map or a structure, 'half',"
                                + " which is binary. Leave them out with --drop tags,picture,place,half",
                        file);
        TableSchema schema =
                ParquetFiles.read(file, "y", "tags", "picture", "place", "half").schema();
        assertThat(schema.columns()).extracting(TableColumn::name).containsExactly("x");
    }

    /** Rows that are left out, whole groups of them, too, and columns that are not asked for. */
    @Test
    void shouldGoToAnyRow() throws IOException {
        Path file = ParquetFiles.write(folder, "pages.parquet", "a.parquet");
        Path plain = ParquetFiles.write(folder, "none.parquet", "b.parquet");
        for (int step : new int[] {1, 2, 13, 31}) {
            try (TableRows rows = new ParquetTables().open(file, bytes -> {});
                    TableRows others = new ParquetTables().open(plain, bytes -> {})) {
                for (int row = 0; rows.next() && others.next(); row++) {
                    for (int column = row % step;
                            row % step == 0 && column < rows.header().size();
                            column++) {
                        assertThat(rows.get(column))
                                .as("row %d, column %d", row, column)
                                .isEqualTo(others.get(column));
                    }
                }
                assertThat(others.next()).isFalse();
            }
        }
    }

    @Test
    void shouldSayARowWhereACsvHasALine() throws IOException {
        Path file = ParquetFiles.write(folder, "snappy.parquet", "a.parquet");

        assertThatThrownBy(() -> ParquetFiles.read(file, "whole"))
                .hasMessage("%s: row 4: the target 'whole' is missing; it is '', and each row needs one", file);
        assertThatThrownBy(() -> ParquetFiles.read(file, "z")).hasMessageContaining("there is no target 'z'");
    }

    @Test
    void shouldCountAllBytesThoughItReadsOneColumn() throws IOException {
        Path file = ParquetFiles.write(folder, "pages.parquet", "a.parquet");
        long[] counted = {0};

        try (TableRows rows = new ParquetTables().open(file, bytes -> counted[0] += bytes)) {
            while (rows.next()) {
                assertThat(rows.get(0)).isNotEmpty();
            }
        }

        assertThat(counted[0]).isBetween(Files.size(file) - 16, Files.size(file) + 1024L * 6);
    }
}
