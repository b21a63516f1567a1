package org.fleetgrad.parquet;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes a Parquet file of two columns of doubles, {@code x} and {@code y}, that states whatever a test wants. */
final class HostileFile {

    private static final int DOUBLE = 5;

    long rows = 3;
    long groupRows = 3;
    long values = 3;
    int pageValues = 3;
    int encoding;
    int codec;
    int packed = -1;
    int unpacked = -1;
    long chunkBytes = -1;
    long from = -1;
    byte[] page = doubles(1, 3, 2);

    /** What takes the place of the schema's list of nodes, if it is not empty. */
    byte[] schema = {};

    static byte[] doubles(double... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (double value : values) {
            bytes.putDouble(value);
        }
        return bytes.array();
    }

    byte[] bytes() {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(text("PAR1"));
        Thrift[] chunks = new Thrift[2];
        for (int i = 0; i < chunks.length; i++) {
            long begin = file.size();
            file.writeBytes(new Thrift()
                    .number(1, 5, 0)
                    .number(2, 5, unpacked < 0 ? page.length : unpacked)
                    .number(3, 5, packed < 0 ? page.length : packed)
                    .struct(
                            5,
                            new Thrift()
                                    .number(1, 5, pageValues)
                                    .number(2, 5, encoding)
                                    .number(3, 5, 3)
                                    .number(4, 5, 3))
                    .end());
            file.writeBytes(page);
            chunks[i] = new Thrift()
                    .struct(
                            3,
                            new Thrift()
                                    .number(1, 5, DOUBLE)
                                    .number(4, 5, codec)
                                    .number(5, 6, values)
                                    .number(7, 6, chunkBytes < 0 ? file.size() - begin : chunkBytes)
                                    .number(9, 6, from < 0 ? begin : from));
        }
        byte[] footer = footer(chunks);
        file.writeBytes(footer);
        file.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(footer.length)
                .array());
        file.writeBytes(text("PAR1"));
        return file.toByteArray();
    }

    private byte[] footer(Thrift[] chunks) {
        Thrift footer = new Thrift().number(1, 5, 2);
        if (schema.length > 0) {
            footer.raw(2, 9, schema);
        } else {
            footer.list(
                    2,
                    new Thrift().text(4, "schema").number(5, 5, 2),
                    new Thrift().number(1, 5, DOUBLE).number(3, 5, 0).text(4, "x"),
                    new Thrift().number(1, 5, DOUBLE).number(3, 5, 0).text(4, "y"));
        }
        return footer.number(3, 6, rows)
                .list(4, new Thrift().list(1, chunks).number(3, 6, groupRows))
                .end();
    }

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A structure in Thrift's compact protocol. */
    static final class Thrift {

        private static final int LIST = 9;
        private static final int STRUCT = 12;

        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private int last;

        private void head(int id, int type) {
            out.write(((id - last) << 4) | type);
            last = id;
        }

        Thrift number(int id, int type, long value) {
            head(id, type);
            out.writeBytes(varint((value << 1) ^ (value >> 63)));
            return this;
        }

        Thrift text(int id, String text) {
            return raw(id, 8, (char) text.length() + text);
        }

        private Thrift raw(int id, int type, String bytes) {
            return raw(id, type, HostileFile.text(bytes));
        }

        Thrift raw(int id, int type, byte[] bytes) {
            head(id, type);
            out.writeBytes(bytes);
            return this;
        }

        Thrift struct(int id, Thrift value) {
            return raw(id, STRUCT, value.end());
        }

        Thrift list(int id, Thrift... values) {
            head(id, LIST);
            out.write((values.length << 4) | STRUCT);
            for (Thrift value : values) {
                out.writeBytes(value.end());
            }
            return this;
        }

        byte[] end() {
            ByteArrayOutputStream ended = new ByteArrayOutputStream();
            ended.writeBytes(out.toByteArray());
            ended.write(0);
            return ended.toByteArray();
        }

        static byte[] varint(long value) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            long rest = value;
            while ((rest & ~0x7fL) != 0) {
                bytes.write((int) ((rest & 0x7f) | 0x80));
                rest >>>= 7;
            }
            bytes.write((int) rest);
            return bytes.toByteArray();
        }
    }
}
