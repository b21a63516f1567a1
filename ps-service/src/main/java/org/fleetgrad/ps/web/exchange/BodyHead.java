package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.fleetgrad.protocol.safetensors.HeaderCache;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;

/** Collects the head of a body of tensors, which may arrive in chunks, in memory that grows with it. Confined to the request. */
final class BodyHead {

    /** Holds the head of most networks; memory beyond this is reserved from the share. */
    private static final int FIRST_BYTES = 2 * 1024;

    private final long length;
    private final SafetensorsLimits limits;
    private final ReceivedBytes.Share share;
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
     * @param length of the complete body
     * @param share  of the memory for bodies that arrive
     */
    BodyHead(long length, SafetensorsLimits limits, ReceivedBytes.Share share) {
        this.share = share;
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
                throw TensorBody.problem(malformed, length);
            }
            isLengthKnown = true;
        }
        return readTo(wanted, source);
    }

    private boolean readTo(int end, Source source) {
        while (at < end) {
            if (at == bytes.length) {
                int larger = (int) Math.min(end, 2L * bytes.length);
                share.grow(larger - bytes.length);
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
    TensorBody decoded(HeaderCache headers) {
        int dataBytes = (int) length - wanted;
        try {
            ByteBuffer header = ByteBuffer.wrap(bytes, Safetensors.LENGTH_BYTES, wanted - Safetensors.LENGTH_BYTES);
            return new TensorBody(headers.decode(header, dataBytes), dataBytes);
        } catch (SafetensorsException malformed) {
            throw TensorBody.problem(malformed, length);
        }
    }
}
