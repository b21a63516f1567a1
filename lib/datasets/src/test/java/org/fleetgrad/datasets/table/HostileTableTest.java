package org.fleetgrad.datasets.table;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostileTableTest {

    @TempDir
    private Path folder;

    private void assertRefused(Path file, String message) {
        assertThatThrownBy(() -> TestTables.read(file, "y"))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining(file.getFileName().toString())
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "x,y;1,2;3|line 3, column 2 ('y'): the row has 1 fields, line 1 names 2 columns",
                "x,y;1,2;3,4,5|line 3, column 3: the row has more fields than the 2 columns that line 1 names",
                "x,y;1,2;\"3,4;5,6|line 3, column 1 ('x'): the quote that begins here never ends",
                "x,y;1,\"2\"3|line 2, column 2 ('y'): after the closing quote is '3'; a quote in quotes is written twice",
                "x,y;1,2;;3,\u00004|line 4, column 2 ('y'): there is a NUL; a table is text",
                "x,y,x;1,2,3|line 1, column 3: the column 'x' is there twice",
                "x,y;1,2;3,|line 3: the target 'y' is missing; it is '', and each row needs one",
                "x,z;1,2|there is no target 'y'; the 2 columns are x, z",
                "x,y;1,2|has 1 rows; a table has 2 or more to train on",
                "x,y|has 0 rows; a table has 2 or more to train on",
                "x,y;1,2;3,2;7,2|the target 'y' is 2.0 in all 2 training rows, so there is nothing to predict",
                "x,y;1,2;1,3;1,4|of the 2 columns none is left to predict 'y' from",
                "x,y;4,a;6,b;5,c|no row is held out of 3, since each of the 3 classes has one row; add rows, or a test.csv",
                "x,y;4,a;6,a;5,a|the target 'y' must have 2 classes or more; it has 1: [a]",
                "x,y;1e308,1;-1e308,2;4,3;7,4|the column 'x' must have a finite mean and a positive, finite standard deviation",
            })
    void shouldSayWhereAndWhatIsWrong(String lines, String message) throws IOException {
        assertRefused(TestTables.write(folder, "a.csv", lines), message);
    }

    @Test
    void shouldSayWhichValueIsNotOfTheKindThatIsSaid() throws IOException {
        Path file = TestTables.write(folder, "a.csv", "x,y;1,2;a,3;5,7");

        assertThatThrownBy(() -> TestTables.read(file, "y", "x:number"))
                .hasMessageContaining("a.csv: line 3: the column 'x' takes numbers; it is 'a'");
        assertThatThrownBy(() -> TestTables.read(file, "y", "x:date"))
                .hasMessageContaining("a.csv: line 2: the column 'x' takes dates, such as 2024-02-29");
        assertThatThrownBy(() -> TestTables.read(file, "y", "z:date"))
                .hasMessageContaining("there is no column 'z'; the 2 columns are x, y");
        assertThatThrownBy(() -> TestTables.read(file, "y", "x:words"))
                .hasMessage(
                        "a column and its kind are NAME:KIND, with the kinds number, category, date, drop; it is 'x:words'");
        assertThatThrownBy(() -> TestTables.read(file, "y", "x:date", "x:number"))
                .hasMessage("the column 'x' has two kinds, date and number");
        assertThatThrownBy(() -> TestTables.read(file, "y", "y:drop"))
                .hasMessage("the target 'y' must be a number or a category; it is to be dropped");
        assertThatThrownBy(() -> TableOptions.of(List.of(), List.of(), List.of("b", "a")))
                .hasMessage("columns (--column, --drop) are of tables, which need --target COLUMN; 2 are named: a, b");
    }

    @Test
    void shouldRefuseAHeldOutClassThatIsNotTrained() throws IOException {
        TestTables.write(folder, "a.csv", "x,y;1,a;3,b;3,a");
        TestTables.write(folder, "test.csv", "x,y;1,a;3,c");

        assertThatThrownBy(() -> TestTables.read(folder, "y"))
                .hasMessageContaining("test.csv: line 3: the target 'y' is 'c', which is none of the 2 classes a, b");
    }

    @Test
    void shouldRefuseWhatIsNotUtf8WithItsPlace() throws IOException {
        Path file = folder.resolve("a.csv");
        Files.write(file, "x,y\n1,2\ncaf\u00e9,3\n".getBytes(StandardCharsets.ISO_8859_1));

        assertRefused(file, "line 3, column 1 ('x'): it is not UTF-8: byte 11, 0xe9, begins no character");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 'x', 0});
        assertRefused(file, "a.csv is not UTF-8: byte 0, 0xff, begins no character");
        Files.write(file, new byte[] {'x', ',', 'y', '\n', '1', ',', (byte) 0xc3});
        assertRefused(file, "line 2, column 2 ('y'): it is not UTF-8: byte 6, 0xc3");
    }

    @Test
    void shouldRefuseFieldsRowsAndHeadersThatAreTooLong() throws IOException {
        String field = "x".repeat(TableRows.MOST_FIELD_CHARACTERS);

        assertRefused(
                TestTables.write(folder, "a.csv", "x,y;1,2;" + field + "x,3"),
                "line 3, column 1 ('x'): the field has more than 1,048,576 characters, which is the most");
        assertRefused(
                TestTables.write(folder, "a.csv", "x,y;\"1,2;" + "3,4;".repeat(300_000)),
                "line 2, column 1 ('x'): the field has more than 1,048,576 characters, which is the most; it begins with a quote,"
                        + " which may never end");
        assertRefused(
                TestTables.write(
                        folder,
                        "a.csv",
                        "x" + ",x1,x2,x3,x4,x5,x6,x7,x8,x9,xa,xb,xc,xd,xe,xf,y;" + (field + ",").repeat(16) + "1"),
                "line 2, column 17 ('y'): the row has more than 16,777,216 characters");
        assertRefused(
                TestTables.write(folder, "a.csv", "y,".repeat(1_000_000)),
                "line 1, column 10001: there are more than 10,000 columns, which is the most");
        assertRefused(
                TestTables.write(folder, "a.csv", "y," + "n".repeat(257) + ";1,2"),
                "line 1, column 2: a column must have a name of 1 to 256 bytes without control characters; it has 257 bytes");
    }

    @Test
    void shouldRefuseCategoriesThatNoParameterSetCanDescribe() throws IOException {
        StringBuilder lines = new StringBuilder("x,y");
        for (int i = 0; i < 120_000; i++) {
            lines.append(";value number %d,%d".formatted(i % 40_000, i));
        }
        assertRefused(
                TestTables.write(folder, "a.csv", lines.toString()),
                "the most is 524,288; the column with the most values is 'x' with ");
    }

    /** Hundreds of megabytes from less than one. */
    @Test
    void shouldRefuseGzipBombsAndTornFiles() throws IOException {
        Path bomb = folder.resolve("a.csv.gz");
        byte[] chunk = new byte[1 << 20];
        for (char filling : new char[] {'\n', '"'}) {
            Arrays.fill(chunk, (byte) (filling == '"' ? 'x' : filling));
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(bomb))) {
                out.write(("x,y\n1,2\n" + filling).getBytes(StandardCharsets.UTF_8));
                for (int i = 0; i < 200; i++) {
                    out.write(chunk);
                }
            }
            assertRefused(
                    bomb,
                    filling == '\n'
                            ? "it is one of more than 1,048,576 blank lines"
                            : "line 3, column 1 ('x'): the field has more than 1,048,576 characters");
        }
        byte[] packed = Files.readAllBytes(TestTables.writePacked(folder, "b.csv.gz", "x,y;" + "1,2;".repeat(99)));
        Files.write(folder.resolve("b.csv.gz"), Arrays.copyOf(packed, packed.length - 9));
        assertRefused(folder.resolve("b.csv.gz"), "the gzip file ends early or is broken");
        Files.writeString(folder.resolve("b.csv.gz"), "no gzip at all");
        assertRefused(folder.resolve("b.csv.gz"), "is not gzip");
        Files.write(folder.resolve("b.csv"), new byte[0]);
        assertRefused(folder.resolve("b.csv"), "is empty; its first line must name the columns");
    }

    @Test
    void shouldSayWhatATableIs() throws IOException {
        Path file = TestTables.write(folder, "a.parquet.gz", "PAR1");

        assertThatThrownBy(() -> TestTables.read(file, "y"))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining(
                        "a table is a .csv or .tsv file, plain or .gz, or a .parquet file, or a folder of such files; this is none:"
                                + " Parquet packs its own pages, so unpack the file (gunzip)");
        assertThatThrownBy(() -> TestTables.read(folder, "y")).isInstanceOf(NoSuchFileException.class);
    }
}
