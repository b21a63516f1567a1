package org.fleetgrad.files.transfer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Counts the bytes that it reads, and fails when they arrive too slowly. Each read still blocks for as long as that of the
 * underlying stream.
 */
public final class RateCheckedInputStream extends FilterInputStream {

    private final TransferRate rate;

    /** Reads {@code in}, checked against a minimum rate. */
    public RateCheckedInputStream(InputStream in, TransferRate rate) {
        super(in);
        this.rate = rate;
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
        rate.count(bytes);
        rate.require();
    }
}
