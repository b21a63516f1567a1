package org.fleetgrad.parquet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Reads what Parquet states of itself: structures in <a
 * href="https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md">Thrift's compact protocol</a>. A number of
 * elements that is stated takes no memory before the elements are read. Not thread-safe.
 */
final class ThriftReader {

    static final int TRUE = 1;
    static final int FALSE = 2;
    static final int BYTE = 3;
    static final int INT16 = 4;
    static final int INT32 = 5;
    static final int INT64 = 6;
    static final int BINARY = 8;
    static final int LIST = 9;
    static final int STRUCT = 12;

    private static final int DOUBLE = 7;
    private static final int SET = 10;
    private static final int MAP = 11;
    private static final int UUID = 13;
    private static final int UUID_BYTES = 16;
    private static final int DEEPEST = 64;
    private static final int MOST_TEXT_BYTES = 1 << 16;
    private static final int LONG_LIST = 15;

    private final FileInput in;
    private int depth;

    ThriftReader(FileInput in) {
        this.in = in;
    }

    /** Takes the fields of a structure. */
    @FunctionalInterface
    interface Fields {

        /**
         * Reads the value of a field, or skips it.
         *
         * @param id   of the field
         * @param type of its value
         */
        void read(int id, int type) throws IOException;
    }

    /** Takes an element of a list. */
    @FunctionalInterface
    interface Elements {

        /** Reads the element. */
        void read(int type) throws IOException;
    }

    /** Reads a structure. */
    void struct(Fields fields) throws IOException {
        enter();
        int id = 0;
        while (true) {
            int head = in.read();
            if (head == 0) {
                break;
            }
            int delta = head >> 4;
            id = delta == 0 ? (int) zigzag(varint()) : id + delta;
            fields.read(id, head & 0xf);
        }
        depth--;
    }

    /** Reads a structure of which the type is stated. */
    void struct(int type, Fields fields) throws IOException {
        require(type, STRUCT);
        struct(fields);
    }

    /** Reads a list. */
    void list(int type, Elements elements) throws IOException {
        require(type, LIST);
        readElements(elements);
    }

    private void readElements(Elements elements) throws IOException {
        int head = in.read();
        long count = head >> 4 == LONG_LIST ? varint() : head >> 4;
        for (long i = 0; i < count; i++) {
            elements.read(head & 0xf);
        }
    }

    int int32(int type) throws IOException {
        require(type, INT32);
        return (int) zigzag(varint());
    }

    long int64(int type) throws IOException {
        require(type, INT64);
        return zigzag(varint());
    }

    int int8(int type) throws IOException {
        require(type, BYTE);
        return in.read();
    }

    boolean flag(int type) {
        if (type != TRUE && type != FALSE) {
            throw new IllegalArgumentException("a field has the type %d; it must be true or false".formatted(type));
        }
        return type == TRUE;
    }

    String text(int type) throws IOException {
        require(type, BINARY);
        long length = varint();
        if (length < 0 || length > Math.min(MOST_TEXT_BYTES, in.remaining())) {
            throw new IllegalArgumentException("a text of %,d bytes is stated where %,d are left; the most is %,d"
                    .formatted(length, in.remaining(), MOST_TEXT_BYTES));
        }
        byte[] bytes = new byte[(int) length];
        in.read(bytes, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Leaves a value out. */
    void skip(int type) throws IOException {
        enter();
        switch (type) {
            case TRUE, FALSE -> {}
            case BYTE -> in.skip(1);
            case INT16, INT32, INT64 -> {
                long unused = varint();
            }
            case DOUBLE -> in.skip(Long.BYTES);
            case BINARY -> in.skip(varint());
            case LIST, SET -> readElements(this::skipElement);
            case MAP -> skipMap();
            case STRUCT -> struct((id, field) -> skip(field));
            case UUID -> in.skip(UUID_BYTES);
            default ->
                throw new IllegalArgumentException("a field has the type %d, which there is not".formatted(type));
        }
        depth--;
    }

    private void skipMap() throws IOException {
        long count = varint();
        if (count == 0) {
            return;
        }
        int types = in.read();
        for (long i = 0; i < count; i++) {
            skipElement(types >> 4);
            skipElement(types & 0xf);
        }
    }

    /** True and false have a byte of their own in a list. */
    private void skipElement(int type) throws IOException {
        skip(type == TRUE || type == FALSE ? BYTE : type);
    }

    private void enter() {
        if (++depth > DEEPEST) {
            throw new IllegalArgumentException("structures lie in each other more than %d deep".formatted(DEEPEST));
        }
    }

    private static void require(int type, int wanted) {
        if (type != wanted) {
            throw new IllegalArgumentException("a field has the type %d; it must be %d".formatted(type, wanted));
        }
    }

    private long varint() throws IOException {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = in.read();
            value |= (next & 0x7fL) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number has more than 64 bits");
    }

    private static long zigzag(long value) {
        return (value >>> 1) ^ -(value & 1);
    }
}
