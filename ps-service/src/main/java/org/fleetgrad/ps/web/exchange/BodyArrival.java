package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a body of tensors as it comes, head first. A client that sends slowly or not at all holds what its bytes have earned,
 * and {@link SlowClients} bounds for how long, and how many threads wait for such clients. No thread waits for a large body.
 *
 * <p>If none waits, the container calls one method at a time. If the request is refused, the rest of the body is read and forgotten for a
 * while, so that the client sees the answer.
 */
final class BodyArrival implements ReadListener, SlowClients.Transfer {

    private static final Logger LOG = LoggerFactory.getLogger(BodyArrival.class);

    private final ProblemServlet servlet;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final ServletInputStream in;
    private final BodyBuffers buffers;
    private final SlowClients clients;
    private final long length;
    private final ArrivedBytes.Share headShare;
    private final BodyHead head;
    private final Route route;
    private final boolean isWaiting;
    private final long begunNanos = System.nanoTime();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final byte[] carry = new byte[Float.BYTES];
    private int carried;
    private @Nullable BodySink sink;
    private volatile long moved;
    private @Nullable RefusedRest rest;
    private boolean hasThread;
    private @Nullable AsyncContext async;
    private Progress progress = Progress.WAITING;

    /** What a route does with a body. */
    interface Route {

        /** Says where the values go, once the head is there; may refuse the request. */
        BodySink head(TensorBody body) throws IOException;

        /**
         * Answers when all values are there; may refuse the request.
         *
         * @param async begins the asynchronous answer, or returns the one that has begun
         * @return whether the answer is still being written, and completes it itself
         */
        boolean whole(Supplier<AsyncContext> async) throws IOException;

        /** Gives back what is still held; may be called more than once. */
        void release();
    }

    private enum Progress {
        WAITING,
        WRITING,
        ANSWERED,
        REFUSED
    }

    private BodyArrival(
            ProblemServlet servlet,
            HttpServletRequest request,
            HttpServletResponse response,
            ServletInputStream in,
            BodyBuffers buffers,
            ArrivedBytes memory,
            SlowClients clients,
            long limitBytes,
            long length,
            boolean isWaiting,
            Route route) {
        this.servlet = servlet;
        this.request = request;
        this.response = response;
        this.in = in;
        this.buffers = buffers;
        this.clients = clients;
        this.length = length;
        this.headShare = memory.begin();
        this.head = new BodyHead(length, SafetensorsLimits.DEFAULT.withBodyBytes(Math.max(1, limitBytes)), headShare);
        this.isWaiting = isWaiting;
        this.hasThread = isWaiting;
        this.route = route;
    }

    /**
     * Reads a body that is at most {@code limitBytes} long, in this thread if it is small and few threads wait for clients; or
     * begins to read it, and returns at once; or refuses the request.
     */
    static void begin(
            ProblemServlet servlet,
            HttpServletRequest request,
            HttpServletResponse response,
            long limitBytes,
            BodyBuffers buffers,
            ArrivedBytes memory,
            SlowClients clients,
            Route route)
            throws IOException {
        long length = TensorBody.length(request, limitBytes);
        if (length == 0) {
            // The container tells nobody about data that never comes.
            throw TensorBody.empty();
        }
        ServletInputStream in = request.getInputStream();
        boolean isWaiting = length <= EarnedSink.SMALL_BYTES && clients.tryTakeThread();
        BodyArrival arrival = new BodyArrival(
                servlet, request, response, in, buffers, memory, clients, limitBytes, length, isWaiting, route);
        clients.watch(arrival);
        if (isWaiting) {
            arrival.readHere();
        } else {
            arrival.async().addListener(new AnswerEnd(arrival::release));
            in.setReadListener(arrival);
        }
    }

    private void readHere() throws IOException {
        try {
            Progress unused = read();
        } catch (IOException gone) {
            if (moved >= length) {
                throw gone;
            }
            LOG.debug("a sender is gone after {} of {} bytes", moved, length, gone);
            throw TensorBody.truncated(moved, length);
        } finally {
            release();
        }
    }

    private AsyncContext async() {
        AsyncContext begun = async;
        if (begun == null) {
            begun = Connections.async(request, response);
            async = begun;
        }
        return begun;
    }

    /** Tells whether there is something to read, or this thread waits until there is. */
    private boolean isReady() {
        return isWaiting || in.isReady();
    }

    @Override
    public void onDataAvailable() throws IOException {
        RefusedRest forgotten = rest;
        if (forgotten != null) {
            forgotten.read();
            return;
        }
        progress = Progress.REFUSED;
        servlet.guarded(response, () -> progress = read());
        switch (progress) {
            case WAITING -> {}
            case WRITING -> release();
            case ANSWERED -> end();
            case REFUSED -> refused();
        }
    }

    private Progress read() throws IOException {
        BodySink values = sink;
        if (values == null) {
            if (!head.read(this::readSome)) {
                return Progress.WAITING;
            }
            values = route.head(head.decoded());
            sink = values;
        }
        if (!readValues(values)) {
            return Progress.WAITING;
        }
        if (isWaiting) {
            // Its end, which has come with the last byte: until it is read, the body counts as unread and would be
            // drained.
            int unused = in.read(carry);
        }
        clients.forget(this);
        giveBackThread();
        return route.whole(this::async) ? Progress.WRITING : Progress.ANSWERED;
    }

    /** Reads what there is, or returns 0. */
    private int readSome(byte[] into, int from, int count) throws IOException {
        if (!isReady()) {
            return 0;
        }
        int read = in.read(into, from, count);
        addMoved(read);
        return read;
    }

    /** Reads what there is of the values; returns whether all of them were read. */
    private boolean readValues(BodySink values) throws IOException {
        ByteBuffer chunk = buffers.takeChunk();
        try {
            chunk.put(carry, 0, carried);
            while (moved < length) {
                if (!isReady()) {
                    carried = chunk.position();
                    chunk.flip().get(carry, 0, carried);
                    return false;
                }
                chunk.limit((int) Math.min(chunk.capacity(), chunk.position() + length - moved));
                addMoved(in.read(chunk));
                chunk.flip();
                values.take(chunk);
                // A value may be cut between two chunks.
                chunk.compact();
            }
            return true;
        } finally {
            buffers.giveBackChunk(chunk);
        }
    }

    /** Counts what was read, or refuses a body that has ended. One thread at a time writes it; others only look. */
    private void addMoved(int read) {
        long before = moved;
        if (read < 0) {
            throw TensorBody.truncated(before, length);
        }
        moved = before + read;
    }

    private void refused() throws IOException {
        release();
        if (moved >= length) {
            end();
            return;
        }
        RefusedRest forgotten = new RefusedRest(in, buffers, this::end);
        rest = forgotten;
        clients.watch(forgotten);
        forgotten.read();
    }

    @Override
    public void onAllDataRead() {
        // The values are counted: the end itself tells nothing new, except while the rest is being forgotten.
        if (rest != null) {
            end();
        }
    }

    @Override
    public void onError(Throwable gone) {
        LOG.debug("a sender is gone after {} of {} bytes", moved, length, gone);
        // What writes the answer is told as well, and completes it.
        if (progress == Progress.WRITING) {
            return;
        }
        if (rest == null && !response.isCommitted()) {
            answerBroken(gone);
        }
        end();
    }

    /** A client that closed only its own half of the connection still reads: nothing it sent counts, and it must not see a 200. */
    private void answerBroken(Throwable gone) {
        try {
            servlet.guarded(response, () -> {
                throw gone instanceof Error
                        ? new RequestRefused(ProblemKind.INTERNAL, "the server's log says why")
                        : TensorBody.truncated(moved, length);
            });
        } catch (IOException away) {
            LOG.debug("nobody reads the answer", away);
        }
    }

    private void release() {
        clients.forget(this);
        RefusedRest forgotten = rest;
        if (forgotten != null) {
            clients.forget(forgotten);
        }
        giveBackThread();
        headShare.close();
        route.release();
    }

    private void giveBackThread() {
        if (hasThread) {
            hasThread = false;
            clients.giveBackThread();
        }
    }

    private void end() {
        if (!isOver.compareAndSet(false, true)) {
            return;
        }
        release();
        try {
            async().complete();
        } catch (IllegalStateException over) {
            LOG.debug("the connection ended first", over);
        }
    }

    @Override
    public long begunNanos() {
        return begunNanos;
    }

    @Override
    public long movedBytes() {
        return moved;
    }

    @Override
    public void cut(String why) {
        LOG.warn("a sender of {} bytes is too slow, its connection is closed: {}", length, why);
        Connections.cut(request, why);
    }
}
