package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Locale;
import java.util.Map;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.fleetgrad.protocol.safetensors.SafetensorsRule;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;

/**
 * A request body of tensors. Its head is read and checked before its values. Belongs to the request's thread; the values can
 * be read once.
 */
final class TensorBody {

    private final BodyBuffers buffers;
    private final ServletInputStream in;
    private final Safetensors.Head head;
    private final long length;
    private final int dataBytes;

    /** Uses decoded tensors while their buffer is lent. */
    @FunctionalInterface
    interface Use<T> {
        T of(TensorSet tensors);
    }

    private TensorBody(BodyBuffers buffers, ServletInputStream in, Safetensors.Head head, long length, int dataBytes) {
        this.buffers = buffers;
        this.in = in;
        this.head = head;
        this.length = length;
        this.dataBytes = dataBytes;
    }

    /** Reads the head of a body that is at most {@code limitBytes} long, or refuses the request. */
    static TensorBody open(HttpServletRequest request, long limitBytes, BodyBuffers buffers) throws IOException {
        long length = length(request, limitBytes);
        SafetensorsLimits limits = SafetensorsLimits.DEFAULT.withBodyBytes(Math.max(1, limitBytes));
        ServletInputStream in = request.getInputStream();
        try {
            ByteBuffer first = read(in, (int) Math.min(length, Safetensors.LENGTH_BYTES), 0, length);
            int headerBytes = Safetensors.headerBytes(first, length, limits);
            int dataBytes = (int) length - Safetensors.LENGTH_BYTES - headerBytes;
            ByteBuffer header = read(in, headerBytes, Safetensors.LENGTH_BYTES, length);
            return new TensorBody(buffers, in, Safetensors.decodeHeader(header, dataBytes), length, dataBytes);
        } catch (SafetensorsException malformed) {
            throw problem(malformed, length);
        }
    }

    /** Returns the tensors in the order of their bytes. */
    TensorLayout layout() {
        return head.layout();
    }

    /** Tells whether the values are float32 and in the order of {@code wanted}, so that {@link #readFloats} reads them. */
    boolean isPlain(TensorLayout wanted) {
        return head.layout().equals(wanted);
    }

    /** Returns the strings that travel with the tensors. */
    Map<String, String> metadata() {
        return head.metadata();
    }

    /**
     * Reads float32 values into {@code values}, and checks each chunk while it is still in the cache.
     *
     * @param values has the length of the layout
     * @return whether all of them are finite
     */
    boolean readFloats(float[] values) throws IOException {
        return readChunks(values.length, (chunk, at, count) -> chunk.get(values, at, count));
    }

    /**
     * Reads float32 values into an array that grows as they come: what a request merely claims to send takes no memory.
     *
     * @return whether all of them are finite
     */
    boolean readFloats(GrowingValues values) throws IOException {
        return readChunks(values.wanted(), values::append);
    }

    /** Takes the next values. */
    private interface Sink {
        void take(FloatBuffer chunk, int at, int count);
    }

    private boolean readChunks(int wanted, Sink sink) throws IOException {
        ByteBuffer chunk = buffers.takeChunk();
        try {
            boolean isFinite = true;
            int at = 0;
            while (at < wanted) {
                long left = (wanted - at) * (long) Float.BYTES;
                chunk.limit((int) Math.min(chunk.capacity(), left));
                if (in.read(chunk) < 0) {
                    throw truncated(length - left + chunk.position(), length);
                }
                chunk.flip();
                int count = chunk.remaining() / Float.BYTES;
                isFinite &= FiniteValues.areIn(chunk, count);
                sink.take(chunk.asFloatBuffer(), at, count);
                at += count;
                // A value may be cut between two chunks.
                chunk.position(count * Float.BYTES).compact();
            }
            return isFinite;
        } finally {
            buffers.giveBackChunk(chunk);
        }
    }

    /** Reads all tensors and lends them to {@code use}. */
    <T> T lend(Use<T> use) throws IOException {
        byte[] whole = buffers.takeWhole(dataBytes);
        try {
            readFully(in, whole, dataBytes, length - dataBytes, length);
            return use.of(new TensorSet(layout(), ByteBuffer.wrap(whole, 0, dataBytes), metadata()));
        } finally {
            buffers.giveBackWhole(whole);
        }
    }

    /** Reads all tensors, into new memory. */
    TensorSet readAll() throws IOException {
        return new TensorSet(layout(), read(in, dataBytes, length - dataBytes, length), metadata());
    }

    private static long length(HttpServletRequest request, long limitBytes) {
        String type = String.valueOf(request.getContentType()).toLowerCase(Locale.ROOT);
        String bare = type.split(";", 2)[0].strip();
        if (!bare.equals(HeaderNames.SAFETENSORS) && !bare.equals(HeaderNames.DJL_SAFETENSORS)) {
            throw new RequestRefused(
                    ProblemKind.UNSUPPORTED_MEDIA_TYPE,
                    "tensors come as %s; the request says '%s'".formatted(HeaderNames.SAFETENSORS, type));
        }
        long length = request.getContentLengthLong();
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

    /** Reads bytes into memory that grows as they come. */
    private static ByteBuffer read(ServletInputStream in, int count, long before, long length) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw truncated(before + bytes.length, length);
        }
        return ByteBuffer.wrap(bytes);
    }

    /**
     * @param before how many bytes of the body came before these
     */
    private static void readFully(ServletInputStream in, byte[] bytes, int count, long before, long length)
            throws IOException {
        int read = in.readNBytes(bytes, 0, count);
        if (read < count) {
            throw truncated(before + read, length);
        }
    }

    private static RequestRefused truncated(long read, long length) {
        return new RequestRefused(ProblemKind.MALFORMED, "the body ended after %d of %d bytes".formatted(read, length));
    }

    private static RequestRefused problem(SafetensorsException malformed, long bodyBytes) {
        String detail = String.valueOf(malformed.getMessage());
        String rule = malformed.rule().name();
        long headerLimit = SafetensorsLimits.DEFAULT.headerBytes();
        // A header length beyond the end of the body does not mean a large header: the body is not safetensors.
        if (malformed.rule() == SafetensorsRule.HEADER_TOO_LARGE && bodyBytes > headerLimit) {
            return new RequestRefused(
                    ProblemKind.TOO_LARGE, detail, Map.of("safetensorsRule", rule, "limitBytes", headerLimit));
        }
        return new RequestRefused(ProblemKind.MALFORMED, detail, Map.of("safetensorsRule", rule));
    }
}
