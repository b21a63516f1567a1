package org.fleetgrad.protocol.tensor;

import java.util.Optional;

/** Element types of the safetensors format, under its names, except those of less than a byte. */
public enum DType {
    BOOL(1),
    U8(1),
    I8(1),
    F8_E5M2(1),
    F8_E4M3(1),
    F8_E8M0(1),
    I16(2),
    U16(2),
    F16(2),
    BF16(2),
    I32(4),
    U32(4),
    F32(4),
    F64(8),
    I64(8),
    U64(8),
    C64(8);

    private final int bytes;

    DType(int bytes) {
        this.bytes = bytes;
    }

    /** Returns the size of one element in bytes. */
    public int bytes() {
        return bytes;
    }

    /** Finds the type that a safetensors header calls {@code name}; the match is exact and case-sensitive. */
    public static Optional<DType> named(String name) {
        for (DType dtype : values()) {
            if (dtype.name().equals(name)) {
                return Optional.of(dtype);
            }
        }
        return Optional.empty();
    }
}
