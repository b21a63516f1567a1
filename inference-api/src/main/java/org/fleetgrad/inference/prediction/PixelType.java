package org.fleetgrad.inference.prediction;

/** The types of pixels in tensors. */
public enum PixelType {
    /** An unsigned byte, 0 to 255. */
    UINT8(1),
    /** Four bytes, little-endian. */
    FP32(Float.BYTES);

    private final int bytes;

    PixelType(int bytes) {
        this.bytes = bytes;
    }

    /** Returns the size of one value in bytes. */
    public int bytes() {
        return bytes;
    }
}
