package org.fleetgrad.worker.javakind;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A request body that fails with an error if it is larger than OpenWhisk's limit. Not thread-safe. */
final class BoundedRequestBody extends FilterInputStream {

    private final int most;
    private long count;

    BoundedRequestBody(InputStream in, int most) {
        super(in);
        this.most = most;
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        return counted(next < 0 ? -1 : 1) < 0 ? -1 : next;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        return counted(super.read(bytes, offset, length));
    }

    private int counted(int read) throws IOException {
        count += Math.max(0, read);
        if (count > most) {
            throw new IOException("the body has more than %d bytes".formatted(most));
        }
        return read;
    }
}
