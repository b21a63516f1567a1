package org.fleetgrad.datasets.shard;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Returns no more bytes than allowed, so that a decompression bomb cannot make a decompressor read forever. */
final class AllowanceInputStream extends FilterInputStream {

    /** The reader requested more bytes than allowed. */
    static final class ExceededException extends IOException {

        private static final long serialVersionUID = 1L;

        ExceededException(String message) {
            super(message);
        }
    }

    private long total;
    private long step;

    /** Allows {@code total} bytes for the whole stream, and none before the first call of {@link #allow}. */
    AllowanceInputStream(InputStream in, long total) {
        super(in);
        this.total = total;
    }

    /** Sets how many bytes may be read before the next call of this method. */
    void allow(long bytes) {
        step = bytes;
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        if (value >= 0) {
            spend(1);
        }
        return value;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        // One byte more than allowed may be read, to tell a stream that ends at the limit from one that continues.
        long most = Math.min(Math.min(step, total), Integer.MAX_VALUE - 1) + 1;
        int read = super.read(target, offset, (int) Math.min(length, most));
        if (read > 0) {
            spend(read);
        }
        return read;
    }

    @Override
    public long skip(long bytes) throws IOException {
        long skipped = super.skip(Math.min(bytes, Math.min(step, total)));
        spend(skipped);
        return skipped;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void spend(long bytes) throws ExceededException {
        step -= bytes;
        total -= bytes;
        if (step < 0) {
            throw new ExceededException("it is longer than its headers state");
        }
        if (total < 0) {
            throw new ExceededException("it is longer than the accepted total");
        }
    }
}
