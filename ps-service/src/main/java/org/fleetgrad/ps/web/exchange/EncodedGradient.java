package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.encoding.EncodingException;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.TensorFormat;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorLayout.LayoutDifference;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.WireValues;
import org.fleetgrad.ps.parameters.BufferPool;
import org.jspecify.annotations.Nullable;

/**
 * The tensors of a push in their stated encoding. All later code sees float32 values only: the journal has a gradient
 * as it was applied, and a replay needs no codec.
 */
final class EncodedGradient {

    private final TensorFormat format;
    private final Safetensors.Head head;
    private final Buffers buffers;
    private BodySink.@Nullable Floats plain;
    private byte @Nullable [] encoded;

    private EncodedGradient(TensorFormat format, Safetensors.Head head, Buffers buffers) {
        this.format = format;
        this.head = head;
        this.buffers = buffers;
    }

    /**
     * Checks that the tensors are those of {@code layout} in their encoding, or refuses the request.
     *
     * @param state the tensors that are sent unencoded
     */
    static EncodedGradient of(TensorLayout layout, ParameterState state, Safetensors.Head head, Buffers buffers) {
        String text = Encodings.textIn(head.metadata());
        if (!Encodings.OF_GRADIENTS.contains(Encodings.nameIn(text))) {
            throw new RequestRefused(
                    ProblemKind.UNSUPPORTED_ENCODING,
                    "gradients come as %s; this one as '%s'".formatted(String.join(", ", Encodings.OF_GRADIENTS), text),
                    Map.of("encoding", text, "accepted", Encodings.OF_GRADIENTS));
        }
        try {
            TensorFormat format = new TensorFormat(Encodings.parse(text), layout, state);
            format.difference(head.layout()).ifPresent(EncodedGradient::refuse);
            return new EncodedGradient(format, head, buffers);
        } catch (IllegalArgumentException impossible) {
            // The encoding's parameter is wrong, or a tensor of this parameter set has a name that the encoding
            // reserves.
            throw new RequestRefused(
                    ProblemKind.INVALID_ENCODING, String.valueOf(impossible.getMessage()), Map.of("encoding", text));
        }
    }

    private static void refuse(LayoutDifference difference) {
        throw new RequestRefused(
                ProblemKind.LAYOUT_MISMATCH, difference.message(), Map.of("tensor", difference.tensor()));
    }

    String encoding() {
        return format.encoding().name();
    }

    /** Returns how many values {@link #finish} writes. */
    int valueCount() {
        return (int) format.layout().elementCount();
    }

    /** Returns the tensors' bytes on the wire. */
    long bytes() {
        return head.layout().byteLength();
    }

    /** Returns the memory that it needs: its float32 values, and its body too if that is buffered before decoding. */
    long memoryBytes() {
        return format.layout().byteLength() + (isPlain() ? 0 : bytes());
    }

    private boolean isPlain() {
        return format.encoding().isLossless() && head.layout().equals(format.layout());
    }

    BodySink sink(float[] values) {
        if (isPlain()) {
            BodySink.Floats floats = new BodySink.Floats((chunk, at, count) -> chunk.get(values, at, count));
            plain = floats;
            return floats;
        }
        byte[] array = buffers.acquire((int) bytes());
        encoded = array;
        ByteBuffer tensors = ByteBuffer.wrap(array, 0, (int) bytes());
        return tensors::put;
    }

    /**
     * Completes {@code values}, in the order of the layout, after the {@link #sink} has taken everything; refuses the
     * request if they are not finite.
     */
    void finish(float[] values) {
        boolean isFinite;
        BodySink.Floats floats = plain;
        if (floats != null) {
            isFinite = floats.isFinite();
        } else {
            ByteBuffer tensors = ByteBuffer.wrap(Objects.requireNonNull(encoded), 0, (int) bytes());
            decode(new TensorSet(head.layout(), tensors, head.metadata()), values);
            isFinite = WireValues.areAllowed(values);
        }
        if (!isFinite) {
            throw notFinite(format.layout(), values);
        }
    }

    /** Makes the refusal of values that are not finite; it names the first and its tensor. */
    static RequestRefused notFinite(TensorLayout layout, float[] values) {
        WireValues.Refused first = WireValues.firstRefused(layout, values).orElseThrow();
        return new RequestRefused(
                ProblemKind.NOT_FINITE, first.message(), Map.of("tensor", first.tensor(), "index", first.index()));
    }

    /** Releases the memory of a body that is buffered before decoding. */
    void release() {
        byte[] held = encoded;
        if (held != null) {
            encoded = null;
            buffers.release(held);
        }
    }

    private void decode(TensorSet tensors, float[] values) {
        try {
            format.decode(tensors, values);
        } catch (EncodingException lie) {
            throw new RequestRefused(
                    ProblemKind.INVALID_ENCODING,
                    String.valueOf(lie.getMessage()),
                    Map.of("tensor", lie.tensor(), "index", lie.index()));
        }
    }

    /** Arrays for encoded gradients, reused across requests. Thread-safe. */
    static final class Buffers {

        /**
         * Size of a connection's input buffer, and so the largest chunk: it stays in the CPU cache until it is read
         * again.
         */
        static final int CHUNK_BYTES = 64 * 1024;

        private static final int SPARE_BUFFERS = 16;

        /** The fraction of the heap for spare arrays is one in this many. */
        private static final int SHARE_OF_HEAP = 32;

        private final BufferPool<byte[]> arrays =
                BufferPool.ofBytes(SPARE_BUFFERS, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);

        /** Lends an array of at least {@code length} bytes. */
        byte[] acquire(int length) {
            // Headers differ by a few digits: rounded up, the array fits the next body too.
            long rounded = ((long) length + CHUNK_BYTES - 1) / CHUNK_BYTES * CHUNK_BYTES;
            return arrays.take((int) Math.min(rounded, Integer.MAX_VALUE - 8));
        }

        void release(byte[] array) {
            arrays.release(array);
        }
    }
}
