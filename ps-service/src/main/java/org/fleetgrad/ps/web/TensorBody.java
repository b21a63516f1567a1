package org.fleetgrad.ps.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.fleetgrad.protocol.safetensors.SafetensorsRule;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** Reads request bodies of tensors into arrays that are used again, and checks them. Safe from several threads. */
final class TensorBody {

    private static final int SPARE_BUFFERS = 16;
    private static final int GRANULE = 64 * 1024;
    private static final int MAGNITUDE = 0x7fffffff;
    private static final int LARGEST_FINITE = Float.floatToRawIntBits(Float.MAX_VALUE);

    private final ConcurrentLinkedDeque<byte[]> spare = new ConcurrentLinkedDeque<>();
    private final AtomicInteger spares = new AtomicInteger();

    /** Uses decoded tensors while their buffer is lent. */
    @FunctionalInterface
    interface Use<T> {
        T of(TensorSet tensors) throws IOException;
    }

    /** Reads the body, at most {@code limitBytes} long, and lends its tensors to {@code use}. */
    <T> T read(HttpServletRequest request, long limitBytes, Use<T> use) throws IOException {
        int length = length(request, limitBytes);
        byte[] buffer = take(length);
        try {
            readFully(request.getInputStream(), buffer, length);
            return use.of(decode(ByteBuffer.wrap(buffer, 0, length), limitBytes));
        } finally {
            giveBack(buffer);
        }
    }

    private static int length(HttpServletRequest request, long limitBytes) {
        String type = String.valueOf(request.getContentType()).toLowerCase(Locale.ROOT);
        String bare = type.split(";", 2)[0].strip();
        if (!bare.equals(HeaderNames.SAFETENSORS) && !bare.equals(HeaderNames.DJL_SAFETENSORS)) {
            throw new RequestRefused(
                    ProblemKind.UNSUPPORTED_MEDIA_TYPE,
                    "tensors come as %s; the request says '%s'".formatted(HeaderNames.SAFETENSORS, type));
        }
        long length = request.getContentLengthLong();
        if (length < 0) {
            throw new RequestRefused(
                    ProblemKind.LENGTH_REQUIRED, "the size of a body of tensors must be known before it is read");
        }
        if (length > limitBytes) {
            throw new RequestRefused(
                    ProblemKind.TOO_LARGE,
                    "the body has %d bytes, accepted are %d".formatted(length, limitBytes),
                    Map.of("bytes", length, "limitBytes", limitBytes));
        }
        return (int) length;
    }

    private static void readFully(InputStream in, byte[] buffer, int length) throws IOException {
        int read = in.readNBytes(buffer, 0, length);
        if (read < length) {
            throw new RequestRefused(
                    ProblemKind.MALFORMED, "the body ended after %d of %d bytes".formatted(read, length));
        }
    }

    private static TensorSet decode(ByteBuffer body, long limitBytes) {
        try {
            return Safetensors.decode(body, SafetensorsLimits.DEFAULT.withBodyBytes(Math.max(1, limitBytes)));
        } catch (SafetensorsException malformed) {
            throw problem(malformed, body.remaining());
        }
    }

    private static RequestRefused problem(SafetensorsException malformed, int bodyBytes) {
        String detail = String.valueOf(malformed.getMessage());
        String rule = malformed.rule().name();
        long headerLimit = SafetensorsLimits.DEFAULT.headerBytes();
        // A header that states more bytes than the body has is no large header, but something else's bytes.
        if (malformed.rule() == SafetensorsRule.HEADER_TOO_LARGE && bodyBytes > headerLimit) {
            return new RequestRefused(
                    ProblemKind.TOO_LARGE, detail, Map.of("safetensorsRule", rule, "limitBytes", headerLimit));
        }
        return new RequestRefused(ProblemKind.MALFORMED, detail, Map.of("safetensorsRule", rule));
    }

    /** Refuses values that are not finite, naming the first with its tensor. */
    static void requireFinite(TensorLayout layout, float[] values) {
        if (isAllFinite(values)) {
            return;
        }
        int from = 0;
        for (TensorSpec spec : layout.specs()) {
            int to = from + (int) spec.elementCount();
            for (int i = from; i < to; i++) {
                if (!Float.isFinite(values[i])) {
                    throw new RequestRefused(
                            ProblemKind.NOT_FINITE,
                            "value %d of %d of tensor '%s' is %s"
                                    .formatted(i - from, spec.elementCount(), spec.name(), values[i]),
                            Map.of("tensor", spec.name(), "index", i - from));
                }
            }
            from = to;
        }
    }

    /** The bits of |x| order as x does, and every finite x lies below infinity: an OR of differences needs no branch. */
    private static boolean isAllFinite(float[] values) {
        int anyNegative = 0;
        for (float value : values) {
            anyNegative |= LARGEST_FINITE - (Float.floatToRawIntBits(value) & MAGNITUDE);
        }
        return anyNegative >= 0;
    }

    private byte[] take(int length) {
        byte[] buffer = spare.poll();
        if (buffer != null) {
            spares.decrementAndGet();
            if (buffer.length >= length) {
                return buffer;
            }
        }
        // Headers differ by a few digits: rounded up, one buffer fits the next push too.
        return new byte[(int) Math.min(((long) length + GRANULE - 1) / GRANULE * GRANULE, Integer.MAX_VALUE - 8)];
    }

    private void giveBack(byte[] buffer) {
        if (spares.incrementAndGet() <= SPARE_BUFFERS) {
            spare.push(buffer);
        } else {
            spares.decrementAndGet();
        }
    }
}
