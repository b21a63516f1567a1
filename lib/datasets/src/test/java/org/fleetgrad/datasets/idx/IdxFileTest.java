package org.fleetgrad.datasets.idx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.fleetgrad.datasets.idx.IdxFile.IdxArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdxFileTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"a.idx", "a.idx.gz"})
    void shouldReadWhatItWrote(String name) throws IOException {
        Path file = folder.resolve(name);
        byte[] data = {1, 2, 3, 4, 5, (byte) 255};

        IdxFile.write(new IdxArray(List.of(3, 1, 2), data), file);

        IdxArray read = IdxFile.read(file);
        assertThat(read.dimensions()).containsExactly(3, 1, 2);
        assertThat(read.data()).isEqualTo(data);
    }

    @Test
    void shouldWriteTheBytesOfTheFormat() throws IOException {
        Path file = folder.resolve("a");
        IdxFile.write(new IdxArray(List.of(2, 258), new byte[516]), file);

        assertThat(Arrays.copyOf(Files.readAllBytes(file), 12))
                .isEqualTo(HexFormat.of().parseHex("000008020000000200000102"));
    }

    @Test
    void shouldKnowGzipByItsContent() throws IOException {
        Path file = folder.resolve("plain-name");
        Files.write(file, gzip(HexFormat.of().parseHex("0000080100000001" + "2a")));

        assertThat(IdxFile.read(file).data()).containsExactly(42);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                              | is truncated: its header needs 4 more bytes, it has 0",
                "000008                          | is truncated: its header needs 4 more bytes, it has 3",
                "01000801 00000001 00            | is not an IDX file of unsigned bytes: it begins 01000801, not 000008..",
                "00000d01 00000001 00            | is not an IDX file of unsigned bytes: it begins 00000d01, not 000008..",
                "00000800                        | states no dimension",
                "00000802 00000001               | is truncated: its header needs 8 more bytes, it has 4",
                "00000801 00000003 0102          | is truncated: dimensions [3] need 3 bytes of data, it has 2",
                "00000801 00000001 0102          | has bytes after the 1 bytes of data that dimensions [1] need",
                "00000801 ffffffff 00            | states 4294967295 for dimension 0, the limit is 2147483647",
                "00000802 7fffffff 7fffffff 00   | states dimensions [2147483647, 2147483647], which need more than 2147483639 bytes",
                "00000801 7ffffff7 00            | is truncated: dimensions [2147483639] need 2147483639 bytes of data, it has 1"
            })
    void shouldRefuseBrokenFiles(String hex, String problem) throws IOException {
        Path file = Files.write(folder.resolve("broken"), HexFormat.of().parseHex(hex.replace(" ", "")));

        assertThatThrownBy(() -> IdxFile.read(file))
                .isInstanceOf(InvalidIdxException.class)
                .hasMessage(file + " " + problem);
    }

    @Test
    void shouldRefuseGzipThatEndsEarlyOrIsDamaged() throws IOException {
        byte[] whole = gzip(HexFormat.of().parseHex("0000080100000004" + "01020304"));
        Path early = Files.write(folder.resolve("early.gz"), Arrays.copyOf(whole, whole.length - 9));
        byte[] damaged = whole.clone();
        damaged[damaged.length - 8] ^= 1;
        Path wrongSum = Files.write(folder.resolve("sum.gz"), damaged);

        assertThatThrownBy(() -> IdxFile.read(early))
                .isInstanceOf(InvalidIdxException.class)
                .hasMessageStartingWith(early + " is not a complete gzip file");
        assertThatThrownBy(() -> IdxFile.read(wrongSum))
                .isInstanceOf(InvalidIdxException.class)
                .hasMessage(wrongSum + " is not a complete gzip file: Corrupt GZIP trailer");
    }

    @Test
    void shouldRefuseArraysThatDoNotAgree() {
        assertThatThrownBy(() -> new IdxArray(List.of(2, 2), new byte[3]))
                .hasMessage("dimensions [2, 2] need 4 bytes; there are 3");
        assertThatThrownBy(() -> new IdxArray(List.of(), new byte[0])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new IdxArray(List.of(-1, -1), new byte[1]))
                .hasMessage("a dimension is negative: [-1, -1]");
    }

    static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        }
        return out.toByteArray();
    }
}
