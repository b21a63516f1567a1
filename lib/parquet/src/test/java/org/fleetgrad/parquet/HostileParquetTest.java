package org.fleetgrad.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.parquet.HostileFile.Thrift;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostileParquetTest {

    @TempDir
    private Path folder;

    private void assertRefused(byte[] bytes, String message) throws IOException {
        Path file = Files.write(folder.resolve("a.parquet"), bytes);
        assertThatThrownBy(() -> ParquetFiles.read(file, "y"))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(message);
    }

    private void assertRefused(Consumer<HostileFile> claims, String message) throws IOException {
        HostileFile hostile = new HostileFile();
        claims.accept(hostile);
        assertRefused(hostile.bytes(), message);
    }

    @Test
    void shouldReadWhatTheOthersAreMadeOf() throws IOException {
        Path file = Files.write(folder.resolve("a.parquet"), new HostileFile().bytes());

        assertThat(ParquetFiles.read(file, "y").schema().width()).isEqualTo(1);
    }

    @Test
    void shouldRefuseAFileThatIsCutOffAnywhere() throws IOException {
        byte[] whole = ParquetFiles.bytes("nested.parquet");
        for (int length = 0; length < whole.length; length += length < 200 || length > whole.length - 200 ? 1 : 7) {
            assertRefused(Arrays.copyOf(whole, length), length < 12 ? "bytes; a Parquet file has 12 or more" : "");
        }
    }

    /** The end is kept, so that the footer is found. */
    @Test
    void shouldRefuseOrReadAFileOfWhichBytesAreMissing() throws IOException {
        byte[] whole = ParquetFiles.bytes("snappy.parquet");
        for (int i = 4; i < whole.length - 8; i += 37) {
            ByteArrayOutputStream torn = new ByteArrayOutputStream();
            torn.write(whole, 0, i);
            torn.write(whole, i + 1, whole.length - i - 1);
            assertRefusedOrRead(torn.toByteArray());
        }
    }

    @Test
    void shouldRefuseOrReadAFileWithChangedBytes() throws IOException {
        for (String name : new String[] {"snappy.parquet", "prefixes.parquet", "pages.parquet"}) {
            byte[] whole = ParquetFiles.bytes(name);
            for (int i = 4; i < whole.length - 8; i += whole.length / 150) {
                byte[] changed = whole.clone();
                changed[i] ^= (byte) (1 << i % 8);
                changed[i + 1] = (byte) 0xff;
                assertRefusedOrRead(changed);
            }
        }
    }

    private void assertRefusedOrRead(byte[] bytes) throws IOException {
        Path file = Files.write(folder.resolve("a.parquet"), bytes);
        try {
            Object unused = ParquetFiles.read(file, "y");
        } catch (InvalidDatasetException refused) {
            assertThat(refused).hasMessageContaining("a.parquet");
        }
    }

    @Test
    void shouldSayWhatIsNoParquet() throws IOException {
        String no = "it does not begin and end with PAR1, as Parquet files do: it is cut off, or of another format";
        assertRefused("x,y\n1,2\n3,4\n5,6\n".getBytes(StandardCharsets.UTF_8), no);
        assertRefused("PAR1............PAR2".getBytes(StandardCharsets.UTF_8), no);
        assertRefused("PARE............PARE".getBytes(StandardCharsets.UTF_8), "its footer is encrypted");
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(ParquetFiles.bytes("snappy.parquet"));
        }
        assertRefused(packed.toByteArray(), no);
    }

    @Test
    void shouldRefuseFootersOfAnyStatedLength() throws IOException {
        byte[] bytes = new HostileFile().bytes();
        for (long length : new long[] {bytes.length - 11, Integer.MAX_VALUE, 0xffff_ffffL}) {
            byte[] lying = bytes.clone();
            for (int i = 0; i < Integer.BYTES; i++) {
                lying[bytes.length - 8 + i] = (byte) (length >> (8 * i));
            }
            assertRefused(lying, "it states a footer of %,d bytes, and has %,d bytes".formatted(length, bytes.length));
        }
    }

    @Test
    void shouldRefuseNumbersThatDoNotFitEachOther() throws IOException {
        assertRefused(file -> file.rows = 4, "its row groups have 3 rows; it states 4");
        assertRefused(
                file -> file.groupRows = Long.MAX_VALUE,
                "a row group states 9,223,372,036,854,775,807 rows after 0 of 3");
        assertRefused(file -> file.rows = -1, "a row group states 3 rows after 0 of -1");
        assertRefused(
                file -> {
                    file.rows = Long.MAX_VALUE;
                    file.groupRows = Long.MAX_VALUE;
                },
                "it states 9,223,372,036,854,775,807 rows; the most of a table is 268,435,456");
        assertRefused(file -> file.values = 2, "row 1, column 1 ('x'): a row group has 2 of its values, and 3 rows");
        assertRefused(file -> file.pageValues = 2, "row 3, column 1 ('x'): its pages have 2 of 3 values");
        assertRefused(file -> file.pageValues = Integer.MAX_VALUE, "a page states 2,147,483,647 values after 0 of 3");
        assertRefused(file -> file.pageValues = -1, "a page states -1 values after 0 of 3");
        assertRefused(
                file -> file.chunkBytes = Long.MAX_VALUE,
                "its pages are stated at 4 with 9,223,372,036,854,775,807 bytes");
        assertRefused(file -> file.from = Long.MAX_VALUE, "its pages are stated at 9,223,372,036,854,775,807 with");
        assertRefused(file -> file.packed = Integer.MAX_VALUE, "a page states 2,147,483,647 bytes");
        assertRefused(file -> file.packed = 23, "a page that is not packed states 23 bytes, and 24 unpacked");
        assertRefused(file -> file.encoding = 4, "a page has the encoding 4, which is not read");
        assertRefused(file -> file.encoding = 8, "a page has numbers of a dictionary, and there is none");
        assertRefused(file -> file.encoding = 5, "a page has DOUBLE in the encoding DELTA_BINARY_PACKED");
        assertRefused(
                file -> file.codec = 4, "its compression is BROTLI; read are none, snappy, gzip, zstd and lz4_raw");
        assertRefused(file -> file.codec = 8, "its compression is number 8; there are 0 to 7");
        assertRefused(
                file -> file.page = HostileFile.doubles(1, 2),
                "row 3, column 1 ('x'): a page states 8 bytes where 0 are left");
    }

    /** Each claims gigabytes in a file of some hundred bytes. */
    @Test
    void shouldRefusePagesThatClaimMoreThanTheHeap() throws IOException {
        for (int codec : new int[] {1, 2, 6, 7}) {
            assertRefused(
                    file -> {
                        file.codec = codec;
                        file.unpacked = Integer.MAX_VALUE;
                    },
                    "row 1, column 1 ('x'): a page takes 2,147,483,647 bytes, and pages of other columns that are open take 0; the most is ");
            assertRefused(
                    file -> {
                        file.codec = codec;
                        file.unpacked = 24;
                    },
                    "row 1, column 1 ('x'): a page ");
        }
    }

    @Test
    void shouldRefuseAGzipPageThatIsLongerThanItStates() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(new byte[1 << 20]);
        }
        assertRefused(
                file -> {
                    file.codec = 2;
                    file.page = packed.toByteArray();
                    file.unpacked = 24;
                },
                "a page has more than the 24 bytes that it states");
    }

    @Test
    void shouldRefuseSchemasOfMoreNodesThanBytes() throws IOException {
        ByteArrayOutputStream nodes = new ByteArrayOutputStream();
        nodes.write(0xfc);
        nodes.writeBytes(Thrift.varint(Long.MAX_VALUE));
        nodes.writeBytes(new byte[1 << 20]);

        assertRefused(
                file -> file.schema = nodes.toByteArray(), "its schema has more than 65,536 nodes, which is the most");
        ByteArrayOutputStream columns = new ByteArrayOutputStream();
        columns.write(0xfc);
        columns.writeBytes(Thrift.varint(20_001));
        columns.writeBytes(new Thrift().text(4, "schema").number(5, 5, 20_000).end());
        for (int i = 0; i < 20_000; i++) {
            columns.writeBytes(new Thrift().number(1, 5, 1).text(4, "x").end());
        }
        assertRefused(
                file -> {
                    file.schema = columns.toByteArray();
                    file.rows = 0;
                },
                "a row group has 2 columns, the schema has 20,000");
        byte[] deep = new byte[1000];
        Arrays.fill(deep, (byte) 0xcc);
        deep[0] = 0x1c;
        assertRefused(file -> file.schema = deep, "structures lie in each other more than 64 deep");
        assertRefused(
                file -> file.schema =
                        new byte[] {0x1c, 0x55, (byte) 0xfe, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f, 0},
                "its schema has 1 nodes; more are stated");
    }
}
