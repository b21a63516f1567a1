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
final class ReceivedBody extends Request.Wrapper {

    private final byte[] bytes;
    private final boolean isComplete;
    private boolean isRead;

    private ReceivedBody(Request request, byte[] bytes, boolean isComplete) {
        super(request);
        this.bytes = bytes;
        this.isComplete = isComplete;
    }

    /**
     * Reads what has arrived, without blocking.
     *
     * @param stated length of the body in bytes, which Jetty enforces
     */
    static ReceivedBody of(Request request, int stated) {
        byte[] bytes = new byte[stated];
        int length = 0;
        while (true) {
            Content.@Nullable Chunk chunk = request.read();
            if (chunk == null || Content.Chunk.isFailure(chunk)) {
                // The next read returns the same failure.
                return new ReceivedBody(request, Arrays.copyOf(bytes, length), false);
            }
            ByteBuffer piece = chunk.getByteBuffer();
            int count = piece.remaining();
            piece.get(bytes, length, count);
            length += count;
            chunk.release();
            if (chunk.isLast()) {
                return new ReceivedBody(request, bytes, true);
            }
        }
    }

    /** Returns whether the complete body has arrived. */
    boolean isComplete() {
        return isComplete;
    }

    /** Returns the complete body, not a copy. */
    byte[] bytes() {
        return bytes;
    }

    @Override
    public Content.@Nullable Chunk read() {
        if (!isRead) {
            isRead = true;
            return Content.Chunk.from(ByteBuffer.wrap(bytes), isComplete);
        }
        return isComplete ? Content.Chunk.EOF : super.read();
    }

    @Override
    public void demand(Runnable whenReadable) {
        if (isRead && !isComplete) {
            super.demand(whenReadable);
        } else {
            getComponents().getExecutor().execute(whenReadable);
        }
    }
}
