package org.fleetgrad.checkpoints;

import java.io.IOException;
import java.io.OutputStream;

/** A stream that accepts a number of bytes, and then reports that no space is left. */
final class HalfStream extends OutputStream {

    private final OutputStream out;
    private long left;

    HalfStream(OutputStream out, long bytes) {
        this.out = out;
        this.left = bytes;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        int taken = (int) Math.min(left, length);
        out.write(source, offset, taken);
        left -= taken;
        if (taken < length) {
            throw new IOException("No space left on device");
        }
    }
}
