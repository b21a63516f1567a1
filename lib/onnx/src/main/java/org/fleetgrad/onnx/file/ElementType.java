package org.fleetgrad.onnx.file;

/** What the values of a tensor are. */
public enum ElementType {
    FLOAT32(1),
    INT64(7),
    TEXT(8),
    FLOAT64(11);

    private final int number;

    ElementType(int number) {
        this.number = number;
    }

    /** Returns its number in onnx.proto. */
    public int number() {
        return number;
    }
}
