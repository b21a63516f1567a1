package org.fleetgrad.datasets.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.SeriesDataset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TensorFileTest {

    private static final String X = "\"x\":{\"dtype\":\"F32\",\"shape\":[4,2],\"data_offsets\":[0,32]}";
    private static final String Y = "\"y\":{\"dtype\":\"I64\",\"shape\":[4],\"data_offsets\":[32,64]}";

    @TempDir
    private Path folder;

    static byte[] tensors(String header, byte[] data) {
        byte[] text = header.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Long.BYTES + text.length + data.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(text.length)
                .put(text)
                .put(data)
                .array();
    }

    /** Inputs that differ, and classes 0 and 1. */
    private static byte[] data() {
        ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 8; i++) {
            data.putFloat(i * i % 17);
        }
        for (int i = 0; i < 4; i++) {
            data.putLong(i % 2);
        }
        return data.array();
    }

    private Path write(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("a.safetensors"), bytes);
    }

    private void assertRefused(byte[] bytes, String message) throws IOException {
        Path file = write(bytes);
        assertThatThrownBy(() -> TestArrays.read(file))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(message);
    }

    @Test
    void shouldReadTheSamplesOfTheSameArrays() throws IOException {
        Path file = write(tensors("{%s,%s}".formatted(X, Y), data()));
        Path npz = TestArrays.npz(
                folder.resolve("a.npz"),
                Map.of("x", TestArrays.inputs(4, 2), "y", TestArrays.longs(List.of(4), 0, 1, 0, 1)));

        SeriesDataset tensors = TestArrays.read(file);
        SeriesDataset arrays = TestArrays.read(npz);

        assertThat(tensors.name()).isEqualTo(arrays.name());
        assertThat(tensors.schema()).isEqualTo(arrays.schema());
        assertThat(tensors.notes()).isEqualTo(arrays.notes());
        assertThat(tensors.train().values()).isEqualTo(arrays.train().values());
        assertThat(tensors.train().targets()).isEqualTo(arrays.train().targets());
        assertThat(tensors.test().values()).isEqualTo(arrays.test().values());
    }

    @Test
    void shouldSayWhatIsWrongWithAFileCutOffAnywhere() throws IOException {
        byte[] whole = tensors("{%s,%s}".formatted(X, Y), data());
        for (int length = 0; length < whole.length; length++) {
            assertRefused(Arrays.copyOf(whole, length), "it is no safetensors file, or it is broken: ");
        }
    }

    @Test
    void shouldRefuseWhatTheHeaderStatesAndTheFileDoesNotHave() throws IOException {
        byte[] long63 = tensors("{}", data());
        ByteBuffer.wrap(long63).order(ByteOrder.LITTLE_ENDIAN).putLong(0, Long.MAX_VALUE);
        assertRefused(long63, "the header states 9223372036854775807 bytes, accepted are 1048576");
        assertRefused(tensors("{%s,%s}".formatted(X, Y.replace("[4]", "[5]")), data()), "'y' spans bytes 32 to 64");
        assertRefused(
                tensors(
                        "{%s,%s}".formatted(X.replace("[4,2]", "[4611686018427387904,4611686018427387904]"), Y),
                        data()),
                "'x'");
        assertRefused(tensors("{%s}".formatted(X), data()), "the tensors take 32 bytes, the body has 64");
    }

    @Test
    void shouldRefuseWhatArraysAreRefusedFor() throws IOException {
        assertRefused(
                tensors("{%s,%s}".formatted(X.replace("F32", "BF16").replace("[4,2]", "[4,4]"), Y), data()),
                "a.safetensors: x: its elements are BF16; read are F16, F32, F64, I8 to I64, U8 to U64 and BOOL");
        assertRefused(
                tensors("{%s,%s}".formatted(X.replace("[4,2]", "[8]"), Y), data()),
                "a.safetensors: x: its shape is [8]; inputs must be [samples, length]");
        byte[] missing = data();
        ByteBuffer.wrap(missing).order(ByteOrder.LITTLE_ENDIAN).putFloat(12, Float.NaN);
        assertRefused(
                tensors("{%s,%s}".formatted(X, Y), missing),
                "a.safetensors: x: element [1, 1] is NaN; inputs must be finite");
        Path other = write(tensors("{%s,%s}".formatted(X.replace("\"x\"", "\"fc.weight\""), Y), data()));
        assertThatThrownBy(() -> TestArrays.read(other))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("no array is called x or inputs or x_train; the arrays are [fc.weight, y]");
    }

    @Test
    void shouldLeaveAModelInAFolderAlone() throws IOException {
        Path unused = write(tensors("{%s,%s}".formatted(X, Y), data()));

        assertThatThrownBy(() -> TestArrays.read(folder))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("no dataset is in it");
    }
}
