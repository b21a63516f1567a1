package org.fleetgrad.files.pace;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Counts the bytes that it reads, and fails when they arrive too slowly. Each read still blocks for as long as that of the
 * underlying stream.
 */
public final class PacedInputStream extends FilterInputStream {

    private final Pace pace;

    /** Reads {@code in}, checked against a minimum rate. */
    public PacedInputStream(InputStream in, Pace pace) {
        super(in);
        this.pace = pace;
    }

    @Override
    public int read() throws IOException {
        int value = in.read();
        count(value < 0 ? 0 : 1);
        return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = in.read(buffer, offset, length);
        count(Math.max(0, read));
        return read;
    }

    private void count(int bytes) throws IOException {
        pace.moved(bytes);
        pace.require();
    }
}
