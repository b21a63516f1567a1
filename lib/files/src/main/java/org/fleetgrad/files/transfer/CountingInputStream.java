package org.fleetgrad.files.transfer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Tells how many bytes each read gave. Not thread-safe. */
public abstract class CountingInputStream extends FilterInputStream {

    /** Reads {@code in}. */
    protected CountingInputStream(InputStream in) {
        super(in);
    }

    /**
     * Is called after each read.
     *
     * @param bytes that it gave; 0 at the end
     */
    protected abstract void count(int bytes) throws IOException;

    @Override
    public final int read() throws IOException {
        int value = in.read();
        count(value < 0 ? 0 : 1);
        return value;
    }

    @Override
    public final int read(byte[] buffer, int offset, int length) throws IOException {
        int read = in.read(buffer, offset, length);
        count(Math.max(0, read));
        return read;
    }
}
