package org.fleetgrad.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;

/** A request's body of array-backed parts, sent one after the other without a copy. */
final class BufferEntity extends AbstractHttpEntity {

    private final List<ByteBuffer> parts;

    BufferEntity(List<ByteBuffer> parts) {
        super((String) null, null);
        this.parts = parts;
    }

    @Override
    public long getContentLength() {
        return parts.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        for (ByteBuffer part : parts) {
            out.write(part.array(), part.arrayOffset() + part.position(), part.remaining());
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
