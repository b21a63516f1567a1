package org.fleetgrad.datasets.idx;

import java.io.BufferedInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.fleetgrad.files.AtomicFile;

/**
 * Reads and writes files of the IDX format, plain or gzipped.
 *
 * <p>A file is two zero bytes, a type (here always 8, unsigned byte), the number of dimensions, each dimension as a
 * big-endian 32-bit number, then the values. Reading is strict: a file that is too short or too long is refused, and no
 * more memory is allocated than the file has bytes.
 */
public final class IdxFile {

    private static final int TYPE_UNSIGNED_BYTE = 8;
    private static final int MAGIC_BYTES = 4;
    private static final int GZIP_FIRST = 0x1f;
    private static final int GZIP_SECOND = 0x8b;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int MAX_DATA_BYTES = Integer.MAX_VALUE - 8;

    private IdxFile() {}

    /**
     * Reads a file. Recognizes gzip by its first bytes, whatever the file's name.
     *
     * @throws InvalidIdxException if the file breaks the format
     */
    public static IdxArray read(Path file) throws IOException {
        try (InputStream in = open(file)) {
            List<Integer> dimensions = readDimensions(file, in);
            int expected = dataBytes(file, dimensions);
            byte[] data = in.readNBytes(expected);
            if (data.length < expected) {
                throw new InvalidIdxException("%s is truncated: dimensions %s need %d bytes of data, it has %d"
                        .formatted(file, dimensions, expected, data.length));
            }
            if (in.read() >= 0) {
                throw new InvalidIdxException("%s has bytes after the %d bytes of data that dimensions %s need"
                        .formatted(file, expected, dimensions));
            }
            return new IdxArray(dimensions, data);
        } catch (ZipException | EOFException broken) {
            throw new InvalidIdxException(
                    "%s is not a complete gzip file: %s".formatted(file, broken.getMessage()), broken);
        }
    }

    /** Writes a file, gzipped if its name ends in {@code .gz}. The file appears atomically. */
    public static void write(IdxArray array, Path file) throws IOException {
        boolean gzip = file.toString().endsWith(".gz");
        AtomicFile.write(file, out -> {
            GZIPOutputStream compressed = gzip ? new GZIPOutputStream(out, BUFFER_BYTES) : null;
            DataOutputStream data = new DataOutputStream(compressed == null ? out : compressed);
            data.writeShort(0);
            data.writeByte(TYPE_UNSIGNED_BYTE);
            data.writeByte(array.dimensions().size());
            for (int dimension : array.dimensions()) {
                data.writeInt(dimension);
            }
            data.write(array.data());
            data.flush();
            if (compressed != null) {
                compressed.finish();
            }
        });
    }

    private static InputStream open(Path file) throws IOException {
        BufferedInputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
        try {
            in.mark(2);
            boolean gzip = in.read() == GZIP_FIRST && in.read() == GZIP_SECOND;
            in.reset();
            return gzip ? new GZIPInputStream(in, BUFFER_BYTES) : in;
        } catch (IOException failed) {
            in.close();
            throw failed;
        }
    }

    private static List<Integer> readDimensions(Path file, InputStream in) throws IOException {
        ByteBuffer magic = header(file, in, MAGIC_BYTES);
        if (magic.getShort() != 0 || magic.get() != TYPE_UNSIGNED_BYTE) {
            throw new InvalidIdxException("%s is not an IDX file of unsigned bytes: it begins %08x, not 000008.."
                    .formatted(file, magic.getInt(0)));
        }
        int count = Byte.toUnsignedInt(magic.get());
        if (count == 0) {
            throw new InvalidIdxException("%s states no dimension".formatted(file));
        }
        ByteBuffer header = header(file, in, count * Integer.BYTES);
        List<Integer> dimensions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int dimension = header.getInt();
            if (dimension < 0) {
                throw new InvalidIdxException("%s states %s for dimension %d, the limit is %d"
                        .formatted(file, Integer.toUnsignedString(dimension), i, Integer.MAX_VALUE));
            }
            dimensions.add(dimension);
        }
        return dimensions;
    }

    private static ByteBuffer header(Path file, InputStream in, int bytes) throws IOException {
        byte[] header = in.readNBytes(bytes);
        if (header.length < bytes) {
            throw new InvalidIdxException(
                    "%s is truncated: its header needs %d more bytes, it has %d".formatted(file, bytes, header.length));
        }
        return ByteBuffer.wrap(header);
    }

    private static int dataBytes(Path file, List<Integer> dimensions) throws InvalidIdxException {
        long bytes = 1;
        for (int dimension : dimensions) {
            bytes *= dimension;
            if (bytes > MAX_DATA_BYTES) {
                throw new InvalidIdxException("%s states dimensions %s, which need more than %d bytes"
                        .formatted(file, dimensions, MAX_DATA_BYTES));
            }
        }
        return (int) bytes;
    }

    /**
     * The content of an IDX file of unsigned bytes: dimensions, outermost first, and the bytes in row-major order. This object
     * owns the array, which must not be modified.
     */
    public static final class IdxArray {

        /** The format stores the number of dimensions in one byte. */
        static final int MAX_DIMENSIONS = 255;

        private final List<Integer> dimensions;
        private final byte[] data;

        /**
         * Takes ownership of {@code data}.
         *
         * @throws IllegalArgumentException if the product of the dimensions differs from the number of bytes
         */
        public IdxArray(List<Integer> dimensions, byte[] data) {
            if (dimensions.isEmpty() || dimensions.size() > MAX_DIMENSIONS) {
                throw new IllegalArgumentException("an IDX file must have 1 to %d dimensions; it has %d"
                        .formatted(MAX_DIMENSIONS, dimensions.size()));
            }
            long product = 1;
            for (int dimension : dimensions) {
                if (dimension < 0) {
                    throw new IllegalArgumentException("a dimension is negative: " + dimensions);
                }
                // Saturates instead of overflowing: no array is that long.
                product = Math.min(product * dimension, Integer.MAX_VALUE + 1L);
            }
            if (product != data.length) {
                throw new IllegalArgumentException(
                        "dimensions %s need %d bytes; there are %d".formatted(dimensions, product, data.length));
            }
            this.dimensions = List.copyOf(dimensions);
            this.data = data;
        }

        /** Returns the dimensions, outermost first. */
        public List<Integer> dimensions() {
            return dimensions;
        }

        /** Returns the bytes; not a copy. */
        public byte[] data() {
            return data;
        }
    }
}
