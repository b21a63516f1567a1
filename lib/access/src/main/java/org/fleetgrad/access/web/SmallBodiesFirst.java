package org.fleetgrad.access.web;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.EagerContentHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Lets a request with a small body wait until the body is there, without a thread. A client that sends half of a small body
 * keeps a connection, for a while, and nothing else.
 */
public final class SmallBodiesFirst extends EagerContentHandler {

    /** For a small body. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** A body that is longer is given to its route when so much of it is there. */
    private static final int MOST_BYTES = 64 * 1024;

    /** What a piece of a body costs beside its bytes. */
    private static final int COST_OF_PIECE = 32;

    private final LongSupplier nanoTime;

    /**
     * @param routes      handles the requests
     * @param readingSelf paths of routes that read their bodies themselves, as they come
     */
    public SmallBodiesFirst(Handler routes, String... readingSelf) {
        this(routes, System::nanoTime, readingSelf);
    }

    SmallBodiesFirst(Handler routes, LongSupplier nanoTime, String... readingSelf) {
        super(routes, new RetainedContentLoaderFactory(MOST_BYTES, COST_OF_PIECE, false));
        this.nanoTime = nanoTime;
        excludePath(readingSelf);
        excludeMethod("GET", "HEAD");
    }

    @Override
    protected boolean onConditionsMet(Request request, Response response, Callback callback) throws Exception {
        return super.onConditionsMet(new Waiting(request), response, callback);
    }

    /** A request that waits for its body. Jetty reports a silent client again and again; here the first time ends the body. */
    private final class Waiting extends Request.Wrapper {

        private final long begin = nanoTime.getAsLong();

        Waiting(Request request) {
            super(request);
        }

        @Override
        public Content.@Nullable Chunk read() {
            Content.Chunk chunk = super.read();
            if (chunk == null || chunk.isLast()) {
                return chunk;
            }
            if (Content.Chunk.isFailure(chunk)) {
                return Content.Chunk.from(chunk.getFailure(), true);
            }
            if (nanoTime.getAsLong() - begin > PATIENCE.toNanos()) {
                chunk.release();
                return Content.Chunk.from(
                        new TimeoutException("the body did not end within %d s".formatted(PATIENCE.toSeconds())), true);
            }
            return chunk;
        }
    }
}
