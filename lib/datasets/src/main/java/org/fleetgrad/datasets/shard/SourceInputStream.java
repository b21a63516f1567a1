package org.fleetgrad.datasets.shard;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Records a failure of the source, to distinguish a broken disk or connection from broken content. */
final class SourceInputStream extends FilterInputStream {

    private boolean hasFailed;

    SourceInputStream(InputStream in) {
        super(in);
    }

    boolean hasFailed() {
        return hasFailed;
    }

    @Override
    public int read() throws IOException {
        try {
            return super.read();
        } catch (IOException failed) {
            hasFailed = true;
            throw failed;
        }
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        try {
            return super.read(target, offset, length);
        } catch (IOException failed) {
            hasFailed = true;
            throw failed;
        }
    }
}
