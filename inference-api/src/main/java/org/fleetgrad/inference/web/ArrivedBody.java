package org.fleetgrad.inference.web;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body has been read as far as it had arrived. The next handler reads the body from its beginning, and then the
 * bytes that arrive later. Confined to one thread at a time.
 */
final class ArrivedBody extends Request.Wrapper {

    private final byte[] bytes;
    private final boolean isWhole;
    private boolean isRead;

    private ArrivedBody(Request request, byte[] bytes, boolean isWhole) {
        super(request);
        this.bytes = bytes;
        this.isWhole = isWhole;
    }

    /**
     * Reads what has arrived, without blocking.
     *
     * @param stated length of the body in bytes, which Jetty enforces
     */
    static ArrivedBody of(Request request, int stated) {
        byte[] bytes = new byte[stated];
        int length = 0;
        while (true) {
            Content.@Nullable Chunk chunk = request.read();
            if (chunk == null || Content.Chunk.isFailure(chunk)) {
                // The next read returns the same failure.
                return new ArrivedBody(request, Arrays.copyOf(bytes, length), false);
            }
            ByteBuffer piece = chunk.getByteBuffer();
            int count = piece.remaining();
            piece.get(bytes, length, count);
            length += count;
            chunk.release();
            if (chunk.isLast()) {
                return new ArrivedBody(request, bytes, true);
            }
        }
    }

    /** Returns whether the complete body has arrived. */
    boolean isWhole() {
        return isWhole;
    }

    /** Returns the complete body, not a copy. */
    byte[] bytes() {
        return bytes;
    }

    @Override
    public Content.@Nullable Chunk read() {
        if (!isRead) {
            isRead = true;
            return Content.Chunk.from(ByteBuffer.wrap(bytes), isWhole);
        }
        return isWhole ? Content.Chunk.EOF : super.read();
    }

    @Override
    public void demand(Runnable whenReadable) {
        if (isRead && !isWhole) {
            super.demand(whenReadable);
        } else {
            getComponents().getExecutor().execute(whenReadable);
        }
    }
}
