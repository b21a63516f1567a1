package org.fleetgrad.http.body;

import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** A request whose body has been read, or the beginning of it. Confined to one thread at a time. */
final class BufferedBody extends Request.Wrapper {

    private final byte[] bytes;

    /** The chunk after the bytes; null if the client still sends. */
    private final Content.@Nullable Chunk end;

    private boolean isRead;

    private BufferedBody(Request request, byte[] bytes, Content.@Nullable Chunk end) {
        super(request);
        this.bytes = bytes;
        this.end = end;
    }

    static BufferedBody complete(Request request, byte[] bytes) {
        return new BufferedBody(request, bytes, Content.Chunk.EOF);
    }

    /** A body that ends early: its reader gets the received bytes, and then the failure. */
    static BufferedBody failed(Request request, byte[] bytes, Throwable why) {
        return new BufferedBody(request, bytes, Content.Chunk.from(why, true));
    }

    /** A body of which more may arrive. */
    static BufferedBody partial(Request request, byte[] bytes) {
        return new BufferedBody(request, bytes, null);
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
