package org.fleetgrad.parquet;

import org.fleetgrad.parquet.LogicalType.Kind;
import org.fleetgrad.parquet.SchemaElement.Repetition;

/** How the values of a column become the texts that a CSV has, or why they do not. */
sealed interface ValueReading {

    /** They become texts. */
    record Textual(ValueText text) implements ValueReading {}

    /**
     * They do not.
     *
     * @param what the column is, for the user
     */
    record Unreadable(String what) implements ValueReading {}

    /** Most decimal places. Arrow's decimals have up to 76 digits. */
    int MOST_SCALE = 100;

    /** Decides by what a schema states. */
    static ValueReading of(SchemaElement element) {
        if (element.children() > 0) {
            return new Unreadable("a list, a map or a structure");
        }
        if (element.repetition() == Repetition.REPEATED) {
            return new Unreadable("a list");
        }
        LogicalType logical = element.logical();
        if (logical.kind() == Kind.NULL) {
            return new Textual(cell -> "");
        }
        if (logical.kind() == Kind.DECIMAL && (logical.scale() < 0 || logical.scale() > MOST_SCALE)) {
            return new Unreadable("a decimal of %d places (the most is %d)".formatted(logical.scale(), MOST_SCALE));
        }
        return switch (element.type()) {
            case BOOLEAN -> new Textual(cell -> cell.number == 0 ? "False" : "True");
            case FLOAT -> new Textual(cell -> ValueText.of(Float.intBitsToFloat((int) cell.number)));
            case DOUBLE -> new Textual(cell -> ValueText.of(Double.longBitsToDouble(cell.number)));
            case INT96 -> new Textual(TimeText::ofInt96);
            case INT32, INT64 -> ofWhole(logical, element.type() == PhysicalType.INT32);
            case BYTES -> ofBytes(logical);
            case FIXED_BYTES -> ofFixed(logical, element.length());
        };
    }

    private static ValueReading ofWhole(LogicalType logical, boolean isInt) {
        return switch (logical.kind()) {
            case NONE -> new Textual(cell -> Long.toString(cell.number));
            case WHOLE ->
                new Textual(
                        logical.isSigned()
                                ? cell -> Long.toString(cell.number)
                                : isInt
                                        ? cell -> Integer.toUnsignedString((int) cell.number)
                                        : cell -> Long.toUnsignedString(cell.number));
            case DECIMAL -> new Textual(cell -> ValueText.ofDecimal(cell.number, logical.scale()));
            case DATE -> new Textual(cell -> TimeText.ofDays(cell.number));
            case TIME -> new Textual(cell -> TimeText.ofTime(cell.number, logical.unit()));
            case TIMESTAMP -> new Textual(cell -> TimeText.ofMoment(cell.number, logical.unit()));
            default -> new Unreadable("of an unknown kind");
        };
    }

    private static ValueReading ofBytes(LogicalType logical) {
        return switch (logical.kind()) {
            case TEXT -> new Textual(ValueText::ofText);
            case DECIMAL -> new Textual(cell -> ValueText.ofDecimal(cell, logical.scale()));
            default -> new Unreadable("binary");
        };
    }

    private static ValueReading ofFixed(LogicalType logical, int length) {
        return switch (logical.kind()) {
            case DECIMAL -> new Textual(cell -> ValueText.ofDecimal(cell, logical.scale()));
            case UUID -> length == ValueText.UUID_BYTES ? new Textual(ValueText::ofUuid) : new Unreadable("binary");
            default -> new Unreadable("binary");
        };
    }
}
