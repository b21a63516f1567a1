package org.fleetgrad.access.web;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
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
public final class SmallBodiesFirst extends Handler.Wrapper {

    /** Timeout of a small body. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Enough for any body of an unauthenticated caller. */
    static final int SMALL_BYTES = 64 * 1024;

    /** Memory that every request gets, whatever the others hold. */
    static final int FREE_BYTES = 4 * 1024;

    /** Divisor of the heap: the part for the longer bodies that wait. */
    private static final int SHARE_OF_HEAP = 16;

    private static final int SHARE_OF_THREADS = 2;
    private static final int USUAL_THREADS = 200;

    private final LongSupplier nanoTime;
    private final long mostBytes;
    private final AtomicLong held = new AtomicLong();
    private final Semaphore threads;

    /**
     * @param routes handles the requests
     * @param pool   the server's threads
     */
    public SmallBodiesFirst(Handler routes, ThreadPool pool) {
        this(routes, threads(pool), Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, System::nanoTime);
    }

    SmallBodiesFirst(Handler routes, int mostThreads, long mostBytes, LongSupplier nanoTime) {
        super(routes);
        this.threads = new Semaphore(mostThreads);
        this.mostBytes = mostBytes;
        this.nanoTime = nanoTime;
    }

    private static int threads(ThreadPool pool) {
        int all = pool instanceof ThreadPool.SizedThreadPool sized ? sized.getMaxThreads() : USUAL_THREADS;
        return Math.max(1, all / SHARE_OF_THREADS);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String method = request.getMethod();
        if (method.equals("GET") || method.equals("HEAD") || request.getLength() == 0) {
            return super.handle(request, response, callback);
        }
        if (request.getLength() > SMALL_BYTES) {
            giveThread(request, response, callback);
        } else {
            new Collecting(request, response, callback).run();
        }
        return true;
    }

    /** Passes a request to its route, in this thread. */
    private void give(Request request, Response response, Callback callback) {
        try {
            if (!super.handle(request, response, callback)) {
                Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
            }
        } catch (Exception failure) {
            Response.writeError(request, response, callback, failure);
        }
    }

    /** Passes a request to its route, which waits for the body. */
    private void giveThread(Request request, Response response, Callback callback) {
        if (!threads.tryAcquire()) {
            refuse(request, response, callback, "too many clients are sending bodies of more than %d bytes");
            return;
        }
        try {
            give(new PacedBody(request, nanoTime), response, callback);
        } finally {
            threads.release();
        }
    }

    /** Never reserves more than is left, not even for a moment: other requests would be refused for it. */
    private boolean reserve(long wanted) {
        long before;
        do {
            before = held.get();
            if (wanted > mostBytes - before) {
                return false;
            }
        } while (!held.compareAndSet(before, before + wanted));
        return true;
    }

    /** Bytes reserved for incomplete bodies, beyond {@link #FREE_BYTES} each. */
    long heldBytes() {
        return held.get();
    }

    private static void refuse(Request request, Response response, Callback callback, String why) {
        response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
        Response.writeError(
                request, response, callback, HttpStatus.SERVICE_UNAVAILABLE_503, why.formatted(SMALL_BYTES));
    }

    /** A body that is arriving. The container runs this again when more has arrived, in one thread at a time. */
    private final class Collecting implements Runnable {

        private final Request request;
        private final Response response;
        private final Callback callback;
        private final long begin = nanoTime.getAsLong();
        private byte[] bytes;
        private int count;
        private long taken;

        Collecting(Request request, Response response, Callback callback) {
            this.request = request;
            this.response = response;
            this.callback = callback;
            long stated = request.getLength();
            this.bytes = new byte[(int) (stated < 0 ? FREE_BYTES : Math.min(stated, FREE_BYTES))];
        }

        @Override
        public void run() {
            while (true) {
                Content.Chunk chunk = request.read();
                if (chunk == null) {
                    request.demand(this);
                    return;
                }
                if (Content.Chunk.isFailure(chunk)) {
                    give(CollectedBody.broken(request, whole(), chunk.getFailure()));
                    return;
                }
                // A small copy: a retained chunk would retain the complete network buffer.
                boolean isLast = chunk.isLast();
                boolean isTaken = take(chunk);
                chunk.release();
                if (!isTaken) {
                    giveBack();
                    refuse(request, response, callback, "bodies that are not there yet take too much memory");
                    return;
                }
                if (isLast) {
                    give(CollectedBody.whole(request, whole()));
                    return;
                }
                if (count > SMALL_BYTES) {
                    // The request has no Content-Length.
                    Request rest = CollectedBody.begun(request, whole());
                    giveBack();
                    giveThread(rest, response, callback);
                    return;
                }
                if (nanoTime.getAsLong() - begin > PATIENCE.toNanos()) {
                    give(CollectedBody.broken(
                            request,
                            whole(),
                            new TimeoutException("the body did not end within %d s".formatted(PATIENCE.toSeconds()))));
                    return;
                }
            }
        }

        private boolean take(Content.Chunk chunk) {
            int more = chunk.remaining();
            if (count + more > bytes.length) {
                int larger = Math.max(2 * bytes.length, count + more);
                int wanted = larger - bytes.length;
                if (!reserve(wanted)) {
                    return false;
                }
                taken += wanted;
                bytes = Arrays.copyOf(bytes, larger);
            }
            chunk.getByteBuffer().get(bytes, count, more);
            count += more;
            return true;
        }

        private byte[] whole() {
            return count == bytes.length ? bytes : Arrays.copyOf(bytes, count);
        }

        private void give(Request collected) {
            giveBack();
            SmallBodiesFirst.this.give(collected, response, callback);
        }

        private void giveBack() {
            held.addAndGet(-taken);
            taken = 0;
        }
    }
}
