package org.fleetgrad.datasets.array;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.fleetgrad.datasets.SeriesDataset;
import org.fleetgrad.datasets.folder.DatasetFolder;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.folder.DatasetFolder.PictureOptions;
import org.fleetgrad.datasets.table.TableOptions;

/** Small arrays for tests. */
final class TestArrays {

    private TestArrays() {}

    /** Writes a file of NumPy's, of elements in the order of Java's. */
    static byte[] npy(String header, byte[] elements) {
        byte[] text = header.getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocate(10 + text.length + elements.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})
                .putShort((short) text.length)
                .put(text)
                .put(elements)
                .array();
    }

    static String header(String type, boolean isFortran, List<Integer> shape) {
        String sides = shape.toString().replace('[', '(').replace("]", shape.size() == 1 ? ",)" : ")");
        return "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n"
                .formatted(type, isFortran ? "True" : "False", sides);
    }

    static byte[] floats(List<Integer> shape, float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            bytes.putFloat(value);
        }
        return npy(header("<f4", false, shape), bytes.array());
    }

    static byte[] longs(List<Integer> shape, long... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long value : values) {
            bytes.putLong(value);
        }
        return npy(header("<i8", false, shape), bytes.array());
    }

    /** Values that differ, of as many samples of one channel. */
    static byte[] inputs(int samples, int length) {
        float[] values = new float[samples * length];
        for (int i = 0; i < values.length; i++) {
            values[i] = i * i % 17;
        }
        return floats(List.of(samples, length), values);
    }

    static Path npz(Path file, Map<String, byte[]> members) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            members.forEach((name, contents) -> {
                try {
                    zip.putNextEntry(new ZipEntry(name + ".npy"));
                    zip.write(contents);
                } catch (IOException impossible) {
                    throw new UncheckedIOException(impossible);
                }
            });
        }
        return Files.write(file, bytes.toByteArray());
    }

    static FolderOptions options(OptionalDouble holdOut, TableOptions table) {
        return new FolderOptions(
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                table,
                holdOut,
                PictureOptions.NONE);
    }

    /** Reads arrays as a user would. */
    static SeriesDataset read(Path source) throws IOException {
        return (SeriesDataset) DatasetFolder.read(source, FolderOptions.NONE);
    }
}
