package org.fleetgrad.datasets.array;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.files.text.Printable;

/**
 * What a file of NumPy's states of its array, in versions 1 to 3 of the <a
 * href="https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html">format</a>.
 *
 * @param type      of the elements
 * @param isFortran whether the first index is the fastest; else the last is
 * @param shape     sides, none below 0
 * @param bytes     from the beginning of the file to the first element
 */
record NpyHeader(NpyType type, boolean isFortran, List<Long> shape, long bytes) {

    /** Most bytes of the text; NumPy's own have 118, or a few more. */
    static final int MOST_BYTES = 1 << 14;

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int MOST_DIMENSIONS = 32;
    private static final int MOST_SHOWN = 60;

    NpyHeader {
        shape = List.copyOf(shape);
    }

    /**
     * Reads a header, and nothing behind it.
     *
     * @throws IllegalArgumentException if it breaks the format, or the array is none of numbers; the message has the numbers
     */
    static NpyHeader read(InputStream in) throws IOException {
        DataInputStream data = new DataInputStream(in);
        try {
            byte[] magic = new byte[MAGIC.length];
            data.readFully(magic);
            if (!Arrays.equals(magic, MAGIC)) {
                throw new IllegalArgumentException("it does not begin with \\x93NUMPY, as NumPy's arrays do");
            }
            int major = data.readUnsignedByte();
            int minor = data.readUnsignedByte();
            if (major < 1 || major > 3 || minor != 0) {
                throw new IllegalArgumentException(
                        "its version is %d.%d; versions 1.0, 2.0 and 3.0 are read".formatted(major, minor));
            }
            int sizeBytes = major == 1 ? Short.BYTES : Integer.BYTES;
            long length = 0;
            for (int i = 0; i < sizeBytes; i++) {
                length |= (long) data.readUnsignedByte() << (i * Byte.SIZE);
            }
            if (length > MOST_BYTES) {
                throw new IllegalArgumentException(
                        "its header states %,d bytes; the most is %,d".formatted(length, MOST_BYTES));
            }
            byte[] text = new byte[(int) length];
            data.readFully(text);
            // Version 3 has UTF-8, which only names of fields need: arrays with fields are not read.
            return parsed(new String(text, StandardCharsets.ISO_8859_1), MAGIC.length + 2L + sizeBytes + length);
        } catch (EOFException early) {
            throw new IllegalArgumentException("it ends within its header", early);
        }
    }

    private static NpyHeader parsed(String text, long bytes) {
        PythonLiteral literal = new PythonLiteral(text);
        PythonLiteral.Header header = literal.header();
        NpyType type =
                NpyType.of(header.type()).orElseThrow(() -> new IllegalArgumentException(notRead(header.type())));
        if (header.shape().size() > MOST_DIMENSIONS) {
            throw new IllegalArgumentException("its header states %d dimensions; the most is %d"
                    .formatted(header.shape().size(), MOST_DIMENSIONS));
        }
        return new NpyHeader(type, header.isFortran(), header.shape(), bytes);
    }

    private static String notRead(String type) {
        String shown = Printable.text(type.length() > MOST_SHOWN ? type.substring(0, MOST_SHOWN) + "…" : type);
        if (type.startsWith("|O")) {
            return "its elements are Python objects (dtype object), which only Python can unpickle, and which may run code: convert them, such as x.astype(\"float32\")";
        }
        if (type.startsWith("[")) {
            return "its elements have fields (dtype %s); save each as an array of its own".formatted(shown);
        }
        return "its elements are of dtype '%s'; read are %s: convert them, such as x.astype(\"float32\")"
                .formatted(shown, NpyType.LIST);
    }

    /**
     * Returns the number of elements.
     *
     * @throws IllegalArgumentException if it is beyond 64 bits
     */
    long count() {
        long count = 1;
        try {
            for (long side : shape) {
                count = Math.multiplyExact(count, side);
            }
        } catch (ArithmeticException overflow) {
            throw new IllegalArgumentException(
                    "its shape %s has more elements than 64 bits can count".formatted(shape), overflow);
        }
        return count;
    }

    /**
     * Returns the number of bytes of header and elements.
     *
     * @throws IllegalArgumentException if it is beyond 64 bits
     */
    long fileBytes() {
        try {
            return Math.addExact(bytes, Math.multiplyExact(count(), (long) type.bytes()));
        } catch (ArithmeticException overflow) {
            throw new IllegalArgumentException(
                    "its shape %s has more bytes than 64 bits can count".formatted(shape), overflow);
        }
    }
}
