package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.fleetgrad.access.ProblemKind;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a body of tensors as it arrives, head first, from the buffers of its connection. No thread waits for the
 * client. A slow or stalled client holds the memory that its bytes have earned, and {@link SlowClients} bounds for how
 * long.
 *
 * <p>The container runs it again when more has arrived, in one thread at a time.
 */
final class BodyReader implements Runnable, SlowClients.Transfer {

    private static final Logger LOG = LoggerFactory.getLogger(BodyReader.class);

    private final Exchange exchange;
    private final Request request;
    private final SlowClients clients;
    private final long length;
    private final ReceivedBytes.Reservation headMemory;
    private final BodyHeader.Decoder head;
    private final Receiver receiver;
    private final long begunNanos = System.nanoTime();

    /** The first bytes of a value that is split between two chunks. */
    private final byte[] carry = new byte[Float.BYTES];

    private int carried;
    private @Nullable BodySink sink;
    private volatile long moved;

    /** What a receiver does with a body. */
    interface Receiver {

        /** Returns the sink for the values, once the head is complete; may refuse the request. */
        BodySink onHeader(BodyHeader body);

        /** Counts bytes that have arrived after the head. */
        default void onBytes(int bytes) {}

        /** Answers when all values have arrived; may refuse the request. */
        void onComplete();

        /** Releases what is still held; may be called more than once. */
        void release();
    }

    private BodyReader(
            Exchange exchange,
            ReceivedBytes memory,
            SlowClients clients,
            long limitBytes,
            long length,
            Receiver receiver) {
        this.exchange = exchange;
        this.request = exchange.request();
        this.clients = clients;
        this.length = length;
        this.headMemory = memory.newReservation();
        this.head = new BodyHeader.Decoder(
                length, SafetensorsLimits.DEFAULT.withBodyBytes(Math.max(1, limitBytes)), headMemory);
        this.receiver = receiver;
    }

    /** Begins to read a body that is at most {@code limitBytes} long, and returns at once; or refuses the request. */
    static void begin(
            Exchange exchange, ReceivedBytes memory, SlowClients clients, long limitBytes, Receiver receiver) {
        long length = BodyHeader.length(exchange, limitBytes);
        if (length == 0) {
            throw BodyHeader.empty();
        }
        BodyReader arrival = new BodyReader(exchange, memory, clients, limitBytes, length, receiver);
        exchange.bodyRequested();
        clients.watch(arrival);
        arrival.run();
    }

    @Override
    public void run() {
        boolean isWaiting = false;
        try {
            isWaiting = read();
        } finally {
            if (!isWaiting) {
                release();
            }
        }
    }

    /** Reads what has arrived; returns whether it waits for more. */
    private boolean read() {
        boolean isMoreWanted = true;
        while (isMoreWanted) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(this);
                return true;
            }
            if (Content.Chunk.isFailure(chunk)) {
                exchange.bodyRead();
                exchange.guarded(() -> broken(chunk.getFailure()));
                return false;
            }
            isMoreWanted = take(chunk);
        }
        return false;
    }

    /** Takes a chunk of the body; returns whether more is wanted: the body is not complete, and not refused. */
    private boolean take(Content.Chunk chunk) {
        Outcome outcome = new Outcome();
        exchange.guarded(() -> {
            boolean isComplete;
            try {
                isComplete = take(chunk.getByteBuffer());
            } finally {
                if (chunk.isLast()) {
                    exchange.bodyRead();
                }
                chunk.release();
            }
            if (isComplete) {
                complete(chunk.isLast());
            } else if (chunk.isLast()) {
                throw BodyHeader.truncated(moved, length);
            } else {
                outcome.isMoreWanted = true;
            }
        });
        return outcome.isMoreWanted;
    }

    /** The result of a guarded part. */
    private static final class Outcome {
        private boolean isMoreWanted;
    }

    private void complete(boolean isEndRead) {
        if (!isEndRead) {
            // The end of the body arrived with the last byte: until it is read, the body counts as unread.
            Content.Chunk end = request.read();
            if (end != null) {
                end.release();
                exchange.bodyRead();
            }
        }
        clients.forget(this);
        receiver.onComplete();
    }

    /** Takes bytes; returns whether the body is complete. */
    private boolean take(ByteBuffer piece) {
        addMoved(piece.remaining());
        BodySink values = sink;
        if (values == null) {
            if (!head.read((into, from, count) -> some(piece, into, from, count))) {
                return false;
            }
            values = receiver.onHeader(head.decoded(exchange.headers()));
            sink = values;
        }
        if (piece.hasRemaining()) {
            receiver.onBytes(piece.remaining());
            take(values, piece);
        }
        return moved >= length;
    }

    private static int some(ByteBuffer piece, byte[] into, int from, int count) {
        int present = Math.min(count, piece.remaining());
        piece.get(into, from, present);
        return present;
    }

    private void take(BodySink values, ByteBuffer piece) {
        if (carried > 0) {
            while (carried < Float.BYTES && piece.hasRemaining()) {
                carry[carried++] = piece.get();
            }
            if (carried == Float.BYTES || moved >= length) {
                ByteBuffer cut = ByteBuffer.wrap(carry, 0, carried).order(ByteOrder.LITTLE_ENDIAN);
                values.take(cut);
                carried = 0;
            }
        }
        ByteBuffer rest = piece.slice().order(ByteOrder.LITTLE_ENDIAN);
        values.take(rest);
        piece.position(piece.limit());
        while (rest.hasRemaining()) {
            carry[carried++] = rest.get();
        }
    }

    /** One thread at a time writes it; other threads only read it. */
    private void addMoved(int read) {
        long before = moved;
        moved = before + read;
    }

    /**
     * A client that closed only its own half of the connection still reads. Nothing that it sent counts, so it must not
     * see a 200.
     */
    private void broken(Throwable gone) {
        LOG.debug("a sender is gone after {} of {} bytes", moved, length, gone);
        throw gone instanceof Error
                ? new RequestRefused(ProblemKind.INTERNAL, "the server's log says why")
                : BodyHeader.truncated(moved, length);
    }

    private void release() {
        clients.forget(this);
        headMemory.close();
        receiver.release();
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
    public void disconnect(String why) {
        LOG.warn("a sender of {} bytes is too slow, its connection is closed: {}", length, why);
        exchange.disconnect(why);
    }
}
