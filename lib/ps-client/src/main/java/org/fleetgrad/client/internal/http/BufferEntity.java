package org.fleetgrad.client.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.fleetgrad.files.transfer.TransferRate;

/**
 * A request's body of array-backed parts, sent one after the other without a copy; progress is counted piece by piece.
 */
final class BufferEntity extends AbstractHttpEntity {

    /** The most that the JDK passes to the system at a time. */
    private static final int PIECE = 128 * 1024;

    private final List<ByteBuffer> parts;
    private final TransferRate rate;

    BufferEntity(List<ByteBuffer> parts, TransferRate rate) {
        super((String) null, null);
        this.parts = parts;
        this.rate = rate;
    }

    @Override
    public long getContentLength() {
        return parts.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        for (ByteBuffer part : parts) {
            int begin = part.arrayOffset() + part.position();
            for (int sent = 0; sent < part.remaining(); sent += PIECE) {
                int piece = Math.min(PIECE, part.remaining() - sent);
                out.write(part.array(), begin + sent, piece);
                rate.count(piece);
            }
        }
    }

    /** Only this library repeats a request, under its sequence number; the HTTP client must not. */
    @Override
    public boolean isRepeatable() {
        return false;
    }

    @Override
    public boolean isStreaming() {
        return false;
    }

    @Override
    public InputStream getContent() {
        throw new UnsupportedOperationException("it is written, not read");
    }

    @Override
    public void close() {}
}
