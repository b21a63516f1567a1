package org.fleetgrad.datasets.table;

import java.util.Optional;
import org.fleetgrad.files.text.Printable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A value of a row that a client sends, by the name of its column. */
public final class RowValue {

    private RowValue() {}

    /**
     * Returns a value as a file has it.
     *
     * @param value a text, a number, true or false, or a node of JSON with one of these; null is missing
     * @throws IllegalArgumentException if it is anything else, or a number that is not finite
     */
    public static String text(String column, @Nullable Object value) {
        if (value == null) {
            return "";
        }
        if (value instanceof JsonNode node) {
            if (node.isNull()) {
                return "";
            }
            if (node.isNumber()) {
                return text(column, node.numberValue());
            }
            if (node.isString() || node.isBoolean()) {
                return node.asString().strip();
            }
        }
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (!Double.isFinite(number)) {
                throw refused(column, value);
            }
            // A client that has floats only means the category 5 with 5.0.
            return number == Math.rint(number) && Math.abs(number) < 1L << 53
                    ? Long.toString((long) number)
                    : value.toString();
        }
        if (value instanceof Number) {
            return value.toString();
        }
        if (value instanceof CharSequence || value instanceof Boolean) {
            return value.toString().strip();
        }
        throw refused(column, value);
    }

    /** Returns true or false if the value is one of them, and not a text of the same letters. */
    static Optional<Boolean> truth(@Nullable Object value) {
        if (value instanceof JsonNode node && node.isBoolean()) {
            return Optional.of(node.booleanValue());
        }
        return value instanceof Boolean truth ? Optional.of(truth) : Optional.empty();
    }

    private static IllegalArgumentException refused(String column, Object value) {
        return new IllegalArgumentException("the column '%s' takes a text, a number or null; it is %s"
                .formatted(column, Printable.text(value.toString())));
    }
}
