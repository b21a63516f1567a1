package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.fleetgrad.access.ProblemKind;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.safetensors.HeaderCache;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.fleetgrad.protocol.safetensors.SafetensorsRule;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;

/** The head of a request body of tensors, which is checked before its values are read. Immutable. */
final class BodyHeader {

    private final Safetensors.Head head;
    private final int dataBytes;

    /**
     * @param dataBytes how many bytes of values follow
     */
    BodyHeader(Safetensors.Head head, int dataBytes) {
        this.head = head;
        this.dataBytes = dataBytes;
    }

    /** Returns the tensors in the order of their bytes. */
    TensorLayout layout() {
        return head.layout();
    }

    /** Returns how many bytes of values follow the head. */
    int dataBytes() {
        return dataBytes;
    }

    /**
     * Tells whether the values are float32 and in the order of {@code wanted}, so that a {@link BodySink.Floats} takes
     * them.
     */
    boolean isPlain(TensorLayout wanted) {
        return head.layout().equals(wanted);
    }

    /** Returns the metadata strings of the tensors. */
    Map<String, String> metadata() {
        return head.metadata();
    }

    /** Returns the tensors, whose bytes are {@code data}. */
    TensorSet with(ByteBuffer data) {
        return new TensorSet(layout(), data, metadata());
    }

    /** Returns a request's {@code Content-Length}, or refuses the request. */
    static long length(Exchange exchange, long limitBytes) {
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

    /** Makes the refusal of a body that ends too early. */
    static RequestRefused truncated(long read, long length) {
        return new RequestRefused(ProblemKind.MALFORMED, "the body ended after %d of %d bytes".formatted(read, length));
    }

    /** Makes the refusal of a body without a byte. */
    static RequestRefused empty() {
        return new RequestRefused(
                ProblemKind.MALFORMED,
                "the body is empty, a body of tensors begins with the 8 bytes of its header's length",
                Map.of("safetensorsRule", SafetensorsRule.HEADER_TRUNCATED.name()));
    }

    /** Makes the refusal of a head that cannot be read. */
    static RequestRefused problem(SafetensorsException malformed, long bodyBytes) {
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

    /**
     * Collects the head of a body of tensors, which may arrive in chunks, in memory that grows with it. Confined to the
     * request.
     */
    static final class Decoder {

        /** Holds the head of most networks; memory beyond this is reserved from the share. */
        private static final int FIRST_BYTES = 2 * 1024;

        private final long length;
        private final SafetensorsLimits limits;
        private final ReceivedBytes.Reservation reservation;
        private byte[] bytes;
        private int at;
        private int wanted;
        private boolean isLengthKnown;

        /** Where the bytes come from. */
        @FunctionalInterface
        interface Source {

            /** Reads at most {@code count} bytes; returns 0 if none has arrived; refuses a body that has ended. */
            int read(byte[] into, int from, int count);
        }

        /**
         * @param length      of the complete body
         * @param reservation of the memory for bodies that arrive
         */
        Decoder(long length, SafetensorsLimits limits, ReceivedBytes.Reservation reservation) {
            this.reservation = reservation;
            this.length = length;
            this.limits = limits;
            this.wanted = (int) Math.min(length, Safetensors.LENGTH_BYTES);
            this.bytes = new byte[(int) Math.min(length, FIRST_BYTES)];
        }

        /** Reads what has arrived of the head; returns whether it is complete. */
        boolean read(Source source) {
            if (!readTo(wanted, source)) {
                return false;
            }
            if (!isLengthKnown) {
                try {
                    wanted += Safetensors.headerBytes(ByteBuffer.wrap(bytes, 0, at), length, limits);
                } catch (SafetensorsException malformed) {
                    throw BodyHeader.problem(malformed, length);
                }
                isLengthKnown = true;
            }
            return readTo(wanted, source);
        }

        private boolean readTo(int end, Source source) {
            while (at < end) {
                if (at == bytes.length) {
                    int larger = (int) Math.min(end, 2L * bytes.length);
                    reservation.grow(larger - bytes.length);
                    bytes = Arrays.copyOf(bytes, larger);
                }
                int read = source.read(bytes, at, Math.min(bytes.length, end) - at);
                if (read == 0) {
                    return false;
                }
                at += read;
            }
            return true;
        }

        /** Decodes the complete head, or refuses the request. */
        BodyHeader decoded(HeaderCache headers) {
            int dataBytes = (int) length - wanted;
            try {
                ByteBuffer header = ByteBuffer.wrap(bytes, Safetensors.LENGTH_BYTES, wanted - Safetensors.LENGTH_BYTES);
                return new BodyHeader(headers.decode(header, dataBytes), dataBytes);
            } catch (SafetensorsException malformed) {
                throw BodyHeader.problem(malformed, length);
            }
        }
    }
}
