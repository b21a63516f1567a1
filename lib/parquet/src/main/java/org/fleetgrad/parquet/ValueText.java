package org.fleetgrad.parquet;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.fleetgrad.datasets.table.RowValue;
import org.fleetgrad.datasets.table.TableRows;

/** Turns a value into the text that a CSV of the same table has. */
@FunctionalInterface
interface ValueText {

    int UUID_BYTES = 16;

    /** Most bytes of a decimal: 308 digits. */
    int MOST_DECIMAL_BYTES = 128;

    /**
     * Returns the text, without space around it; empty if the value says that there is none.
     *
     * @throws IllegalArgumentException if the value breaks a rule
     */
    String of(Cell cell);

    /** Returns a floating-point number as a client of a model may send it, too: a whole one without a point. */
    static String of(Number number) {
        double value = number.doubleValue();
        if (Double.isNaN(value)) {
            return "";
        }
        return Double.isInfinite(value) ? (value > 0 ? "inf" : "-inf") : RowValue.text("", number);
    }

    static String ofDecimal(long unscaled, int scale) {
        return BigDecimal.valueOf(unscaled, scale).toPlainString();
    }

    static String ofDecimal(Cell cell, int scale) {
        if (cell.length == 0 || cell.length > MOST_DECIMAL_BYTES) {
            throw new IllegalArgumentException(
                    "a decimal has %,d bytes; it has 1 to %d".formatted(cell.length, MOST_DECIMAL_BYTES));
        }
        return new BigDecimal(new BigInteger(cell.bytes, cell.from, cell.length), scale).toPlainString();
    }

    static String ofUuid(Cell cell) {
        ByteBuffer buffer = ByteBuffer.wrap(cell.bytes, cell.from, cell.length);
        return new UUID(buffer.getLong(), buffer.getLong()).toString();
    }

    /** Returns a text under the rules of a field of a CSV. */
    static String ofText(Cell cell) {
        String text = new String(cell.bytes, cell.from, cell.length, StandardCharsets.UTF_8);
        if (text.indexOf('\ufffd') >= 0) {
            requireUtf8(cell);
        }
        if (text.length() > TableRows.MOST_FIELD_CHARACTERS) {
            throw new IllegalArgumentException("the text has %,d characters; the most is %,d"
                    .formatted(text.length(), TableRows.MOST_FIELD_CHARACTERS));
        }
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("there is a NUL; a table is text");
        }
        return text.trim();
    }

    private static void requireUtf8(Cell cell) {
        try {
            Object unused =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(cell.bytes, cell.from, cell.length));
        } catch (CharacterCodingException malformed) {
            throw new IllegalArgumentException("the text is not UTF-8: " + malformed.getMessage(), malformed);
        }
    }
}
