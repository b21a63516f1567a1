package org.fleetgrad.parquet;

import java.io.IOException;

/**
 * What the values of a column mean, beyond their bytes.
 *
 * @param kind     what they are
 * @param bits     of whole numbers
 * @param isSigned whether whole numbers have a sign
 * @param scale    number of decimal places of a decimal
 * @param unit     units in a second, of times
 */
record LogicalType(Kind kind, int bits, boolean isSigned, int scale, long unit) {

    /** Nothing beyond the bytes. */
    static final LogicalType NONE = of(Kind.NONE);

    private static final int CONVERTED_UNSIGNED = 11;
    private static final int CONVERTED_SIGNED = 15;
    private static final int CONVERTED_LAST_SIGNED = 18;
    private static final long MILLIS = 1_000;
    private static final long MICROS = 1_000_000;
    private static final long NANOS = 1_000_000_000;

    /** What values are. */
    enum Kind {
        NONE,
        TEXT,
        DECIMAL,
        DATE,
        TIME,
        TIMESTAMP,
        WHOLE,
        NULL,
        UUID,
        OTHER
    }

    private static LogicalType of(Kind kind) {
        return new LogicalType(kind, 0, true, 0, 1);
    }

    private static LogicalType timed(Kind kind, long unit) {
        return new LogicalType(kind, 0, true, 0, unit);
    }

    /** Returns the meaning that older files state. */
    static LogicalType converted(int type, int scale) {
        return switch (type) {
            case 0, 4, 19 -> of(Kind.TEXT);
            case 5 -> new LogicalType(Kind.DECIMAL, 0, true, scale, 1);
            case 6 -> of(Kind.DATE);
            case 7 -> timed(Kind.TIME, MILLIS);
            case 8 -> timed(Kind.TIME, MICROS);
            case 9 -> timed(Kind.TIMESTAMP, MILLIS);
            case 10 -> timed(Kind.TIMESTAMP, MICROS);
            default ->
                type >= CONVERTED_UNSIGNED && type <= CONVERTED_LAST_SIGNED
                        ? new LogicalType(
                                Kind.WHOLE, 8 << ((type - CONVERTED_UNSIGNED) % 4), type >= CONVERTED_SIGNED, 0, 1)
                        : of(Kind.OTHER);
        };
    }

    /** Reads the meaning that newer files state, a union. */
    static LogicalType read(ThriftReader thrift, int type) throws IOException {
        LogicalType[] read = {NONE};
        thrift.struct(
                type,
                (id, field) -> read[0] = switch (id) {
                    case 1, 4, 12 -> skipped(thrift, field, Kind.TEXT);
                    case 5 -> decimal(thrift, field);
                    case 6 -> skipped(thrift, field, Kind.DATE);
                    case 7 -> timed(Kind.TIME, unit(thrift, field));
                    case 8 -> timed(Kind.TIMESTAMP, unit(thrift, field));
                    case 10 -> whole(thrift, field);
                    case 11 -> skipped(thrift, field, Kind.NULL);
                    case 14 -> skipped(thrift, field, Kind.UUID);
                    default -> skipped(thrift, field, Kind.OTHER);
                });
        return read[0];
    }

    private static LogicalType skipped(ThriftReader thrift, int type, Kind kind) throws IOException {
        thrift.skip(type);
        return of(kind);
    }

    private static LogicalType decimal(ThriftReader thrift, int type) throws IOException {
        int[] scale = {0};
        thrift.struct(type, (id, field) -> {
            if (id == 1) {
                scale[0] = thrift.int32(field);
            } else {
                thrift.skip(field);
            }
        });
        return new LogicalType(Kind.DECIMAL, 0, true, scale[0], 1);
    }

    private static LogicalType whole(ThriftReader thrift, int type) throws IOException {
        int[] bits = {0};
        boolean[] isSigned = {true};
        thrift.struct(type, (id, field) -> {
            switch (id) {
                case 1 -> bits[0] = thrift.int8(field);
                case 2 -> isSigned[0] = thrift.flag(field);
                default -> thrift.skip(field);
            }
        });
        return new LogicalType(Kind.WHOLE, bits[0], isSigned[0], 0, 1);
    }

    private static long unit(ThriftReader thrift, int type) throws IOException {
        long[] unit = {MILLIS};
        thrift.struct(type, (id, field) -> {
            if (id != 2) {
                thrift.skip(field);
                return;
            }
            thrift.struct(field, (member, empty) -> {
                unit[0] = member == 1 ? MILLIS : member == 2 ? MICROS : NANOS;
                thrift.skip(empty);
            });
        });
        return unit[0];
    }
}
