package org.fleetgrad.parquet;

import java.nio.ByteBuffer;
import java.util.Optional;

/** The values of a page, but for missing ones, one after the other. Not thread-safe. */
interface PageValues {

    /**
     * Reads the next value.
     *
     * @throws IllegalArgumentException if there is none, or it breaks the format
     */
    void next(Cell cell);

    /**
     * Opens the values of a page.
     *
     * @param encoding   its number
     * @param column     that they belong to
     * @param in         the bytes, from the first value on
     * @param values     number of values of the page, of missing ones, too
     * @param dictionary of the column
     * @throws IllegalArgumentException if they cannot be read
     */
    static PageValues of(
            int encoding, SchemaElement column, ByteBuffer in, int values, Optional<Dictionary> dictionary) {
        PhysicalType type = column.type();
        if (!in.hasRemaining()) {
            // All values are missing, or the first reading says that some are not there.
            return new PlainValues(type, Math.max(1, column.length()), in);
        }
        return switch (encoding) {
            case 0 -> new PlainValues(type, column.length(), in);
            case 2, 8 ->
                new DictionaryValues(
                        dictionary.orElseThrow(() ->
                                new IllegalArgumentException("a page has numbers of a dictionary, and there is none")),
                        in);
            case 3 -> ofRuns(type, in);
            case 5 -> {
                requireType(type == PhysicalType.INT32 || type == PhysicalType.INT64, type, "DELTA_BINARY_PACKED");
                DeltaNumbers numbers = new DeltaNumbers(in, values);
                yield type == PhysicalType.INT32
                        ? cell -> cell.number = (int) numbers.next()
                        : cell -> cell.number = numbers.next();
            }
            case 6 -> {
                requireType(type == PhysicalType.BYTES, type, "DELTA_LENGTH_BYTE_ARRAY");
                yield new DeltaTexts(in, values);
            }
            case 7 -> {
                requireType(type == PhysicalType.BYTES || type == PhysicalType.FIXED_BYTES, type, "DELTA_BYTE_ARRAY");
                yield new DeltaPrefixes(in, values, type == PhysicalType.FIXED_BYTES ? column.length() : -1);
            }
            case 9 -> new SplitValues(type, column.length(), in);
            default ->
                throw new IllegalArgumentException("a page has the encoding %d, which is not read".formatted(encoding));
        };
    }

    private static PageValues ofRuns(PhysicalType type, ByteBuffer in) {
        requireType(type == PhysicalType.BOOLEAN, type, "RLE");
        int length = Bytes.length(in);
        Runs runs = new Runs(in.limit(in.position() + length), 1);
        return cell -> cell.number = runs.next();
    }

    private static void requireType(boolean fits, PhysicalType type, String encoding) {
        if (!fits) {
            throw new IllegalArgumentException("a page has %s in the encoding %s".formatted(type, encoding));
        }
    }
}
