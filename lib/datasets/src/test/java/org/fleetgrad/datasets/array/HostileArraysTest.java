package org.fleetgrad.datasets.array;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostileArraysTest {

    private static final byte[] TARGETS = TestArrays.longs(List.of(4), 0, 1, 0, 1);

    @TempDir
    private Path folder;

    private void assertRefused(byte[] inputs, String message) throws IOException {
        assertRefused(inputs, TARGETS, message);
    }

    private void assertRefused(byte[] inputs, byte[] targets, String message) throws IOException {
        Path file = TestArrays.npz(folder.resolve("a.npz"), Map.of("x", inputs, "y", targets));
        assertThatThrownBy(() -> TestArrays.read(file))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining("a.npz")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4, 2)}|its elements have fields (dtype [('a', '<f4')]",
                "{'descr': '<U3', 'fortran_order': False, 'shape': (4, 2)}|its elements are of dtype '<U3'; read are f2, f4, f8, i1",
                "{'descr': '<c8', 'fortran_order': False, 'shape': (4, 2)}|its elements are of dtype '<c8'",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 2, 1, 1)}|its shape is [4, 2, 1, 1]; inputs must be [samples, length] or",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (4,)}|its shape is [4]; inputs must be [samples, length] or",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 0)}|its shape is [4, 0]; there is no value",
                "{'descr': '<f4', 'fortran_order': False, 'shape': ()}|its shape is []; inputs must be",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (4, -2)}|its header must have a whole number of 1 to 18 digits at character 54; it has '-2)}'",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 1000000000000000000000)}|a whole number of 1 to 18 digits",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (400000000000000000, 400000000000000000)}|has more elements than 64 bits can count",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 900000000000000000)}|has more bytes than 64 bits can count",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 200000)}|its shape [4, 200000] of float32 takes 3,200,",
                "{'descr': '<f4', 'fortran_order': 0, 'shape': (4, 2)}|its header must have True or False at character 34",
                "{'descr': '<f4', 'shape': (4, 2)}|its header must have the keys 'descr', 'fortran_order' and 'shape'",
                "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (4, 2)}|each once; there is 'descr'",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 2)} + x|nothing behind the dictionary",
                "[]|its header must have '{' at character 0; it has '[]'",
                "{'descr': __import__('os').system('x')}|a text in quotes at character 10",
            })
    void shouldSayWhatIsWrongWithAHeader(String header, String message) throws IOException {
        assertRefused(TestArrays.npy(header, new byte[32]), message);
    }

    @Test
    void shouldRefuseWhatIsNoArrayOrEndsEarlyOrLate() throws IOException {
        byte[] whole = TestArrays.inputs(4, 2);
        String pickled = TestArrays.header("|O", false, List.of(4, 2));

        assertRefused(
                TestArrays.npy(pickled, new byte[32]),
                "its elements are Python objects (dtype object), which only Python can unpickle, and which may run code");
        assertRefused("PAR1".getBytes(StandardCharsets.US_ASCII), "it ends within its header");
        assertRefused("no array of NumPy's".getBytes(StandardCharsets.US_ASCII), "it does not begin with \\x93NUMPY");
        assertRefused(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 9, 0, 0, 0}, "its version is 9.0");
        assertRefused(
                new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 2, 0, -1, -1, -1, -1},
                "its header states 4,294,967,295 bytes; the most is 16,384");
        assertRefused(Arrays.copyOf(whole, 20), "it ends within its header");
        assertRefused(Arrays.copyOf(whole, whole.length - 5), "it ends after 6 of its 8 elements");
        assertRefused(
                Arrays.copyOf(whole, whole.length + 1), "there are bytes behind the 8 elements of its shape [4, 2]");
    }

    @Test
    void shouldSayWhereAValueIsNotFinite() throws IOException {
        assertRefused(
                TestArrays.floats(List.of(4, 1, 2), 1, 2, 3, 4, 5, Float.NaN, 7, 8),
                "a.npz: x.npy: element [2, 0, 1] is NaN; inputs must be finite");
        assertRefused(
                TestArrays.floats(List.of(4, 2), 1, 2, 3, Float.NEGATIVE_INFINITY, 5, 6, 7, 8),
                "x.npy: element [1, 1] is -Infinity; inputs must be finite");
        assertRefused(
                TestArrays.inputs(4, 2),
                TestArrays.floats(List.of(4), 1, 2, Float.NaN, 3),
                "y.npy: element [2] is NaN; a target must be finite");
    }

    @Test
    void shouldRefuseTargetsThatDoNotFit() throws IOException {
        assertRefused(
                TestArrays.inputs(4, 2),
                TestArrays.longs(List.of(3), 0, 1, 0),
                "y.npy: its shape is [3]; targets must be [4], one for each sample");
        assertRefused(
                TestArrays.inputs(4, 2),
                TestArrays.longs(List.of(2, 2), 0, 1, 0, 1),
                "y.npy: its shape is [2, 2]; targets must be [4]");
        assertRefused(
                TestArrays.inputs(4, 2),
                TestArrays.longs(List.of(4), 1, 1, 1, 1),
                "the target 'y' must have 2 classes or more; it has 1: [1]");
        assertRefused(
                TestArrays.inputs(4, 2),
                TestArrays.longs(List.of(4), 1L << 53, 1, 1, 1),
                "y.npy: element [0] is 9.007199254740992E15; classes must be whole numbers between -2^53 and 2^53");
        assertRefused(
                TestArrays.inputs(4, 2),
                TestArrays.floats(List.of(4), 2, 2, 2, 2),
                "y.npy: it is 2.0 in all 3 training samples, so there is nothing to predict");
    }

    /** A gigabyte of zeros from a megabyte: refused by what it states, before it is unpacked. */
    @Test
    void shouldRefuseZipBombsBeforeTheyAreUnpacked() throws IOException {
        Path file = folder.resolve("bomb.npz");
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("x.npy"));
            zip.write(TestArrays.npy(TestArrays.header("<f8", false, List.of(1 << 14, 1 << 15)), new byte[0]));
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 100; i++) {
                zip.write(zeros);
            }
            zip.putNextEntry(new ZipEntry("y.npy"));
            zip.write(TARGETS);
        }

        assertThatThrownBy(() -> TestArrays.read(file))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining("bomb.npz: x.npy: its shape [16384, 32768] of float64 takes 4,294,967,3");
    }

    @Test
    void shouldRefuseMoreThanFitsIntoMemory() throws IOException {
        Path file = folder.resolve("x.npy");
        byte[] header = TestArrays.npy(TestArrays.header("|u1", false, List.of(1 << 14, 1 << 15)), new byte[0]);
        try (SeekableByteChannel channel =
                Files.newByteChannel(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(header));
            // Sparse.
            channel.position(header.length + (1L << 29) - 1);
            channel.write(ByteBuffer.allocate(1));
        }
        Files.write(folder.resolve("y.npy"), TARGETS);

        assertThatThrownBy(() -> TestArrays.read(folder))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining(
                        "x.npy: its shape [16384, 32768] has 536,870,912 values of 16,384 samples; the most is 268,435,456 values of 16,777,216 samples");
    }

    @Test
    void shouldSayWhichArraysThereAre() throws IOException {
        Path file = TestArrays.npz(folder.resolve("a.npz"), Map.of("features", TestArrays.inputs(4, 2), "y", TARGETS));
        assertThatThrownBy(() -> TestArrays.read(file))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("no array is called x or inputs or x_train; the arrays are [features, y]");
        byte[] inputs = TestArrays.inputs(4, 2);
        TestArrays.npz(file, Map.of("x", inputs, "inputs", inputs, "y", TARGETS));
        assertThatThrownBy(() -> TestArrays.read(file)).hasMessageContaining("the arrays x and inputs could be meant");
        TestArrays.npz(file, Map.of("x", inputs, "y", TARGETS, "x_test", inputs));
        assertThatThrownBy(() -> TestArrays.read(file))
                .hasMessageContaining(
                        "held-out samples need inputs and targets, such as x_test and y_test; there is only x_test");
        TestArrays.npz(file, Map.of("x", inputs, "y", TARGETS, "x_test", TestArrays.inputs(4, 3), "y_test", TARGETS));
        assertThatThrownBy(() -> TestArrays.read(file))
                .hasMessageContaining("x_test.npy: its shape is [4, 3], and that of the training samples [4, 2]");
        TestArrays.npz(
                file,
                Map.of(
                        "x",
                        inputs,
                        "y",
                        TARGETS,
                        "x_test",
                        inputs,
                        "y_test",
                        TestArrays.longs(List.of(4), 0, 1, 2, 1)));
        assertThatThrownBy(() -> TestArrays.read(file))
                .hasMessageContaining(
                        "y_test.npy: element [2] is 2; no training sample has this class, they have 2 others");
        Files.write(file, "no zip file".getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> TestArrays.read(file))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining("it is no zip file, as .npz files are, or it is broken");
    }
}
