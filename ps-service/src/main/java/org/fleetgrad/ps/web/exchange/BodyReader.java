package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.http.body.LateBody;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
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

    /** Holds the head of most networks; memory beyond this is reserved. */
    private static final int FIRST_HEAD_BYTES = 2 * 1024;

    private final Exchange exchange;
    private final Request request;
    private final ReceivedBytes memory;
    private final SlowClients clients;
    private final SafetensorsLimits limits;
    private final long length;
    private final Receiver receiver;

    /** The first bytes of a value that is split between two chunks. */
    private final byte[] carry = new byte[Float.BYTES];

    private int carried;
    private byte[] head;
    private int headBytes;
    private int headEnd;
    private boolean isHeadLengthKnown;
    private ReceivedBytes.@Nullable Reservation headMemory;
    private boolean isMoreWanted;
    private @Nullable BodySink sink;

    /** One thread at a time writes it; other threads only read it. */
    private volatile long moved;

    interface Receiver {

        /** Returns the sink for the values, once the head is complete; may refuse the request. */
        BodySink onHeader(Safetensors.Head head);

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
        this.memory = memory;
        this.clients = clients;
        this.limits = new SafetensorsLimits(SafetensorsLimits.DEFAULT.headerBytes(), Math.max(1, limitBytes));
        this.length = length;
        this.receiver = receiver;
        this.head = new byte[(int) Math.min(length, FIRST_HEAD_BYTES)];
        this.headEnd = (int) Math.min(length, Safetensors.LENGTH_BYTES);
    }

    /**
     * Begins to read a body that is at most {@code limitBytes} long, and returns at once; or refuses the request.
     *
     * @param memory of long heads
     */
    static void begin(
            Exchange exchange, ReceivedBytes memory, SlowClients clients, long limitBytes, Receiver receiver) {
        long length = length(exchange, limitBytes);
        if (length == 0) {
            throw new RequestRefused(
                    ProblemKind.MALFORMED,
                    "the body is empty, a body of tensors begins with the 8 bytes of its header's length",
                    Map.of("safetensorsRule", SafetensorsException.Rule.HEADER_TRUNCATED.name()));
        }
        BodyReader arrival = new BodyReader(exchange, memory, clients, limitBytes, length, receiver);
        exchange.bodyRequested();
        clients.watch(arrival);
        arrival.run();
    }

    /** Returns a request's {@code Content-Length}, or refuses the request. */
    private static long length(Exchange exchange, long limitBytes) {
        String type = String.valueOf(exchange.header("Content-Type")).toLowerCase(Locale.ROOT);
        String bare = type.split(";", 2)[0].strip();
        if (!bare.equals(HeaderNames.SAFETENSORS) && !bare.equals(HeaderNames.DJL_SAFETENSORS)) {
            throw new RequestRefused(
                    ProblemKind.UNSUPPORTED_MEDIA_TYPE,
                    "tensors come as %s; the request says '%s'".formatted(HeaderNames.SAFETENSORS, type));
        }
        long length = exchange.request().getLength();
        if (length < 0) {
            throw new RequestRefused(ProblemKind.LENGTH_REQUIRED, "a body of tensors needs a Content-Length");
        }
        if (length > Math.min(limitBytes, Integer.MAX_VALUE)) {
            throw new RequestRefused(
                    ProblemKind.TOO_LARGE,
                    "the body has %d bytes, accepted are %d".formatted(length, limitBytes),
                    Map.of("bytes", length, "limitBytes", limitBytes));
        }
        return length;
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
        do {
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
            take(chunk);
        } while (isMoreWanted);
        return false;
    }

    /** Takes a chunk of the body. More is wanted, unless the body is complete or refused. */
    private void take(Content.Chunk chunk) {
        isMoreWanted = false;
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
                throw truncated();
            } else {
                isMoreWanted = true;
            }
        });
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
        long before = moved;
        moved = before + piece.remaining();
        BodySink values = sink;
        if (values == null) {
            if (!readHead(piece)) {
                return false;
            }
            values = receiver.onHeader(decodedHead());
            sink = values;
        }
        if (piece.hasRemaining()) {
            receiver.onBytes(piece.remaining());
            take(values, piece);
        }
        return moved >= length;
    }

    /** Reads what has arrived of the head; returns whether it is complete. */
    private boolean readHead(ByteBuffer piece) {
        if (!readToHeadEnd(piece)) {
            return false;
        }
        if (!isHeadLengthKnown) {
            try {
                headEnd += Safetensors.headerBytes(ByteBuffer.wrap(head, 0, headBytes), length, limits);
            } catch (SafetensorsException malformed) {
                throw problem(malformed);
            }
            isHeadLengthKnown = true;
        }
        return readToHeadEnd(piece);
    }

    private boolean readToHeadEnd(ByteBuffer piece) {
        while (headBytes < headEnd && piece.hasRemaining()) {
            if (headBytes == head.length) {
                int larger = (int) Math.min(headEnd, 2L * head.length);
                if (headMemory == null) {
                    headMemory = memory.newReservation();
                }
                headMemory.grow(larger - head.length);
                head = Arrays.copyOf(head, larger);
            }
            int count = Math.min(Math.min(head.length, headEnd) - headBytes, piece.remaining());
            piece.get(head, headBytes, count);
            headBytes += count;
        }
        return headBytes == headEnd;
    }

    private Safetensors.Head decodedHead() {
        try {
            ByteBuffer header = ByteBuffer.wrap(head, Safetensors.LENGTH_BYTES, headEnd - Safetensors.LENGTH_BYTES);
            return exchange.headers().decode(header, length - headEnd);
        } catch (SafetensorsException malformed) {
            throw problem(malformed);
        }
    }

    private RequestRefused problem(SafetensorsException malformed) {
        String detail = String.valueOf(malformed.getMessage());
        String rule = malformed.rule().name();
        long headerLimit = limits.headerBytes();
        // A header length beyond the end of the body does not mean a large header: the body is not safetensors.
        if (malformed.rule() == SafetensorsException.Rule.HEADER_TOO_LARGE && length > headerLimit) {
            return new RequestRefused(
                    ProblemKind.TOO_LARGE, detail, Map.of("safetensorsRule", rule, "limitBytes", headerLimit));
        }
        return new RequestRefused(ProblemKind.MALFORMED, detail, Map.of("safetensorsRule", rule));
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

    /**
     * A client that closed only its own half of the connection still reads. Nothing that it sent counts, so it must not
     * see a 200.
     */
    private void broken(Throwable gone) {
        LOG.debug("a sender is gone after {} of {} bytes", moved, length, gone);
        Throwable reason = LateBody.reason(gone, request);
        if (reason instanceof RequestRefused late) {
            throw late;
        }
        throw gone instanceof Error
                ? new RequestRefused(ProblemKind.INTERNAL, "the server's log says why")
                : truncated();
    }

    private RequestRefused truncated() {
        return new RequestRefused(
                ProblemKind.MALFORMED, "the body ended after %d of %d bytes".formatted(moved, length));
    }

    private void release() {
        clients.forget(this);
        if (headMemory != null) {
            headMemory.close();
        }
        receiver.release();
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
