package org.fleetgrad.http.body;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** A request whose body has been read, or the beginning of it. Confined to one thread at a time. */
public final class BufferedBody extends Request.Wrapper {

    private final byte[] bytes;

    /** The chunk after the bytes; null if the client still sends. */
    private final Content.@Nullable Chunk end;

    private boolean isRead;

    private BufferedBody(Request request, byte[] bytes, Content.@Nullable Chunk end) {
        super(request);
        this.bytes = bytes;
        this.end = end;
    }

    /**
     * Reads what has arrived, without blocking. The next handler reads the body from its beginning, and then the bytes that
     * arrive later.
     *
     * @param stated length of the body in bytes, which Jetty enforces
     */
    public static BufferedBody received(Request request, int stated) {
        byte[] bytes = new byte[stated];
        int length = 0;
        while (true) {
            Content.@Nullable Chunk chunk = request.read();
            if (chunk == null || Content.Chunk.isFailure(chunk)) {
                // The next read returns the same failure.
                return partial(request, Arrays.copyOf(bytes, length));
            }
            ByteBuffer piece = chunk.getByteBuffer();
            int count = piece.remaining();
            piece.get(bytes, length, count);
            length += count;
            chunk.release();
            if (chunk.isLast()) {
                return complete(request, bytes);
            }
        }
    }

    static BufferedBody complete(Request request, byte[] bytes) {
        return new BufferedBody(request, bytes, Content.Chunk.EOF);
    }

    /** A body that ends early: its reader gets the received bytes, and then the failure. */
    static BufferedBody failed(Request request, byte[] bytes, Throwable why) {
        return new BufferedBody(request, bytes, Content.Chunk.from(why, true));
    }

    static BufferedBody partial(Request request, byte[] bytes) {
        return new BufferedBody(request, bytes, null);
    }

    /** Returns whether the complete body has arrived. */
    public boolean isComplete() {
        return end == Content.Chunk.EOF;
    }

    /** Returns the bytes, not a copy. */
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public Content.@Nullable Chunk read() {
        if (!isRead) {
            isRead = true;
            if (bytes.length > 0 || end == null) {
                return Content.Chunk.from(ByteBuffer.wrap(bytes), end == Content.Chunk.EOF);
            }
        }
        return end == null ? super.read() : end;
    }

    @Override
    public void demand(Runnable whenReadable) {
        if (isRead && end == null) {
            super.demand(whenReadable);
        } else {
            getComponents().getExecutor().execute(whenReadable);
        }
    }
}
