package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
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
    private static final int FIRST_HEAD_BYTES = 8 * 1024;
    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

    private final ProblemServlet servlet;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final ServletInputStream in;
    private final BodyBuffers buffers;
    private final SlowClients clients;
    private final SafetensorsLimits limits;
    private final long length;
    private final Route route;
    private final boolean isWaiting;
    private final long begunNanos = System.nanoTime();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final byte[] carry = new byte[Float.BYTES];
    private int carried;
    private byte[] head;
    private int headAt;
    private int headWanted;
    private boolean isLengthKnown;
    private @Nullable BodySink sink;
    private volatile long moved;
    private volatile boolean isDraining;
    private volatile long drainingSince;
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
        this.limits = SafetensorsLimits.DEFAULT.withBodyBytes(Math.max(1, limitBytes));
        this.length = length;
        this.isWaiting = isWaiting;
        this.hasThread = isWaiting;
        this.route = route;
        this.headWanted = (int) Math.min(length, Safetensors.LENGTH_BYTES);
        this.head = new byte[(int) Math.min(length, FIRST_HEAD_BYTES)];
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
        BodyArrival arrival =
                new BodyArrival(servlet, request, response, in, buffers, clients, limitBytes, length, isWaiting, route);
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
        if (isDraining) {
            drain();
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
            if (!readHead()) {
                return Progress.WAITING;
            }
            values = opened();
            sink = values;
        }
        if (!readValues(values)) {
            return Progress.WAITING;
        }
        clients.forget(this);
        giveBackThread();
        return route.whole(this::async) ? Progress.WRITING : Progress.ANSWERED;
    }

    /** Reads what there is of the head; returns whether it is whole. */
    private boolean readHead() throws IOException {
        if (!readHeadTo(headWanted)) {
            return false;
        }
        if (!isLengthKnown) {
            try {
                headWanted += Safetensors.headerBytes(ByteBuffer.wrap(head, 0, headAt), length, limits);
            } catch (SafetensorsException malformed) {
                throw TensorBody.problem(malformed, length);
            }
            isLengthKnown = true;
        }
        return readHeadTo(headWanted);
    }

    private boolean readHeadTo(int wanted) throws IOException {
        while (headAt < wanted) {
            if (!isReady()) {
                return false;
            }
            if (headAt == head.length) {
                head = Arrays.copyOf(head, (int) Math.min(wanted, 2L * head.length));
            }
            int read = in.read(head, headAt, Math.min(head.length, wanted) - headAt);
            requireMore(read);
            headAt += read;
            moved = headAt;
        }
        return true;
    }

    private BodySink opened() throws IOException {
        int dataBytes = (int) length - headWanted;
        try {
            ByteBuffer header = ByteBuffer.wrap(head, Safetensors.LENGTH_BYTES, headWanted - Safetensors.LENGTH_BYTES);
            return route.head(new TensorBody(Safetensors.decodeHeader(header, dataBytes), dataBytes));
        } catch (SafetensorsException malformed) {
            throw TensorBody.problem(malformed, length);
        }
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
                int read = in.read(chunk);
                requireMore(read);
                addMoved(read);
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

    /** One thread at a time writes it; others only look. */
    private void addMoved(int read) {
        long before = moved;
        moved = before + read;
    }

    private void requireMore(int read) {
        if (read < 0) {
            throw TensorBody.truncated(moved, length);
        }
    }

    private void refused() throws IOException {
        release();
        if (moved >= length) {
            end();
            return;
        }
        drainingSince = System.nanoTime();
        isDraining = true;
        clients.watch(this);
        drain();
    }

    private void drain() throws IOException {
        ByteBuffer chunk = buffers.takeChunk();
        try {
            while (!isOver.get() && in.isReady()) {
                chunk.clear();
                if (in.isFinished() || isDrainedEnough() || in.read(chunk) < 0) {
                    end();
                }
            }
        } finally {
            buffers.giveBackChunk(chunk);
        }
    }

    private boolean isDrainedEnough() {
        return System.nanoTime() - drainingSince > PATIENCE_NANOS;
    }

    @Override
    public void onAllDataRead() {
        // The values are counted: the end itself tells nothing new, except while the rest is being forgotten.
        if (isDraining) {
            end();
        }
    }

    @Override
    public void onError(Throwable gone) {
        LOG.debug("a sender is gone after {} of {} bytes", moved, length, gone);
        // What writes the answer is told as well, and completes it.
        if (progress != Progress.WRITING) {
            end();
        }
    }

    private void release() {
        clients.forget(this);
        giveBackThread();
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
        if (isDraining) {
            return isDrainedEnough() ? -1 : Long.MAX_VALUE;
        }
        return moved;
    }

    @Override
    public void cut(String why) {
        if (isDraining) {
            end();
        } else {
            LOG.warn("a sender of {} bytes is too slow, its connection is closed: {}", length, why);
            Connections.cut(request, why);
        }
    }
}
