package org.fleetgrad.http.body;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.ThreadPool;

/**
 * Collects a small body completely, without a thread, before its request reaches its route. A client that sends half of a small
 * body holds a connection and the received bytes until a timeout, and nothing else. A request with a larger body goes to its
 * route at once, which refuses untrusted clients by the request head; at most half of the threads wait for such bodies.
 */
public final class SmallBodyBuffering extends Handler.Wrapper {

    static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Enough for any body of an unauthenticated caller. */
    static final int SMALL_BYTES = 64 * 1024;

    /** Memory that every request gets, whatever the others hold. */
    static final int FREE_BYTES = 4 * 1024;

    /** Divisor of the heap: the part for the longer bodies that wait. */
    private static final int HEAP_DIVISOR = 16;

    private static final int THREADS_DIVISOR = 2;
    private static final int DEFAULT_THREADS = 200;

    private final LongSupplier nanoTime;
    private final long maxBytes;
    private final AtomicLong reserved = new AtomicLong();
    private final Semaphore threads;

    /**
     * @param routes handles the requests
     * @param pool   the server's threads
     */
    public SmallBodyBuffering(Handler routes, ThreadPool pool) {
        this(routes, threads(pool), Runtime.getRuntime().maxMemory() / HEAP_DIVISOR, System::nanoTime);
    }

    SmallBodyBuffering(Handler routes, int maxThreads, long maxBytes, LongSupplier nanoTime) {
        super(routes);
        this.threads = new Semaphore(maxThreads);
        this.maxBytes = maxBytes;
        this.nanoTime = nanoTime;
    }

    private static int threads(ThreadPool pool) {
        int all = pool instanceof ThreadPool.SizedThreadPool sized ? sized.getMaxThreads() : DEFAULT_THREADS;
        return Math.max(1, all / THREADS_DIVISOR);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String method = request.getMethod();
        if (method.equals("GET") || method.equals("HEAD") || request.getLength() == 0) {
            return super.handle(request, response, callback);
        }
        if (request.getLength() > SMALL_BYTES) {
            dispatchBlocking(request, response, callback);
        } else {
            new Buffering(request, response, callback).read();
        }
        return true;
    }

    /** Passes a request to its route, in this thread. */
    private void dispatch(Request request, Response response, Callback callback) {
        try {
            if (!super.handle(request, response, callback)) {
                Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
            }
        } catch (Exception failure) {
            Response.writeError(request, response, callback, failure);
        }
    }

    /** Passes a request to its route, which waits for the body. */
    private void dispatchBlocking(Request request, Response response, Callback callback) {
        if (!threads.tryAcquire()) {
            refuse(request, response, callback, "too many clients are sending bodies of more than %d bytes");
            return;
        }
        try {
            dispatch(new MinimumRateBody(request, nanoTime), response, callback);
        } finally {
            threads.release();
        }
    }

    /** Never reserves more than is left, not even for a moment: other requests would be refused for it. */
    private boolean reserve(long wanted) {
        long before;
        do {
            before = reserved.get();
            if (wanted > maxBytes - before) {
                return false;
            }
        } while (!reserved.compareAndSet(before, before + wanted));
        return true;
    }

    /** Bytes reserved for incomplete bodies, beyond {@link #FREE_BYTES} each. */
    long reservedBytes() {
        return reserved.get();
    }

    private static void refuse(Request request, Response response, Callback callback, String why) {
        response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
        Response.writeError(
                request, response, callback, HttpStatus.SERVICE_UNAVAILABLE_503, why.formatted(SMALL_BYTES));
    }

    /** A body that is arriving. One thread at a time reads it. */
    private final class Buffering {

        private final Request request;
        private final Response response;
        private final Callback callback;
        private final TimedDemand demand;
        private final long begin = nanoTime.getAsLong();
        private byte[] bytes;
        private int count;
        private long reservedBytes;

        Buffering(Request request, Response response, Callback callback) {
            this.request = request;
            this.response = response;
            this.callback = callback;
            this.demand = new TimedDemand(request, TIMEOUT, this::read, this::dispatchLate);
            long stated = request.getLength();
            this.bytes = new byte[(int) (stated < 0 ? FREE_BYTES : Math.min(stated, FREE_BYTES))];
        }

        /** Reads what has arrived, and returns at once. */
        void read() {
            while (true) {
                Content.Chunk chunk = request.read();
                if (chunk == null) {
                    demand.await();
                    return;
                }
                if (Content.Chunk.isFailure(chunk)) {
                    dispatch(BufferedBody.failed(request, received(), LateBody.reason(chunk.getFailure(), request)));
                    return;
                }
                // A small copy: a retained chunk would retain the complete network buffer.
                boolean isLast = chunk.isLast();
                boolean isBuffered = append(chunk);
                chunk.release();
                if (!isBuffered) {
                    end();
                    refuse(request, response, callback, "bodies that are not there yet take too much memory");
                    return;
                }
                if (isLast) {
                    dispatch(BufferedBody.complete(request, received()));
                    return;
                }
                if (count > SMALL_BYTES) {
                    // The request has no Content-Length.
                    Request rest = BufferedBody.partial(request, received());
                    end();
                    dispatchBlocking(rest, response, callback);
                    return;
                }
                if (nanoTime.getAsLong() - begin > TIMEOUT.toNanos()) {
                    dispatchLate();
                    return;
                }
            }
        }

        private void dispatchLate() {
            dispatch(BufferedBody.failed(
                    request,
                    received(),
                    LateBody.refusal("the body did not end within %d s".formatted(TIMEOUT.toSeconds()))));
        }

        private boolean append(Content.Chunk chunk) {
            int more = chunk.remaining();
            if (count + more > bytes.length) {
                int larger = Math.max(2 * bytes.length, count + more);
                int wanted = larger - bytes.length;
                if (!reserve(wanted)) {
                    return false;
                }
                reservedBytes += wanted;
                bytes = Arrays.copyOf(bytes, larger);
            }
            chunk.getByteBuffer().get(bytes, count, more);
            count += more;
            return true;
        }

        private byte[] received() {
            return count == bytes.length ? bytes : Arrays.copyOf(bytes, count);
        }

        private void dispatch(Request buffered) {
            end();
            SmallBodyBuffering.this.dispatch(buffered, response, callback);
        }

        private void end() {
            demand.end();
            reserved.addAndGet(-reservedBytes);
            reservedBytes = 0;
        }
    }
}
