package org.fleetgrad.files.transfer;

import java.io.IOException;
import java.io.InputStream;

/**
 * Counts the bytes that it reads, and fails when they arrive too slowly. Each read still blocks for as long as that of the
 * underlying stream.
 */
public final class RateCheckedInputStream extends CountingInputStream {

    private final TransferRate rate;

    /** Reads {@code in}, checked against a minimum rate. */
    public RateCheckedInputStream(InputStream in, TransferRate rate) {
        super(in);
        this.rate = rate;
    }

    @Override
    protected void count(int bytes) throws IOException {
        rate.count(bytes);
        rate.require();
    }
}
