package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import org.fleetgrad.access.ProblemKind;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.encoding.EncodingException;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.TensorFormat;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorLayout.LayoutDifference;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.jspecify.annotations.Nullable;

/**
 * The tensors of a push in their stated encoding. All later code sees float32 values only: the journal has a gradient as it
 * was applied, and a replay needs no codec.
 */
final class EncodedGradient {

    private final TensorFormat format;
    private final TensorBody body;
    private final BodyBuffers buffers;
    private @Nullable FloatSink plain;
    private byte @Nullable [] encoded;

    private EncodedGradient(TensorFormat format, TensorBody body, BodyBuffers buffers) {
        this.format = format;
        this.body = body;
        this.buffers = buffers;
    }

    /**
     * Checks that the tensors are those of {@code layout} in their encoding, or refuses the request.
     *
     * @param state the tensors that are sent unencoded
     */
    static EncodedGradient of(TensorLayout layout, ParameterState state, TensorBody body, BodyBuffers buffers) {
        String text = Encodings.textIn(body.metadata());
        if (!Encodings.OF_GRADIENTS.contains(Encodings.nameIn(text))) {
            throw new RequestRefused(
                    ProblemKind.UNSUPPORTED_ENCODING,
                    "gradients come as %s; this one as '%s'".formatted(String.join(", ", Encodings.OF_GRADIENTS), text),
                    Map.of("encoding", text, "accepted", Encodings.OF_GRADIENTS));
        }
        try {
            TensorFormat format = new TensorFormat(Encodings.parse(text), layout, state);
            format.difference(body.layout()).ifPresent(EncodedGradient::refuse);
            return new EncodedGradient(format, body, buffers);
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

    /** Returns the name of the encoding. */
    String encoding() {
        return format.encoding().name();
    }

    /** Returns how many values {@link #finish} writes. */
    int valueCount() {
        return (int) format.layout().elementCount();
    }

    /** Returns the tensors' bytes on the wire. */
    long bytes() {
        return body.layout().byteLength();
    }

    /** Returns the memory that it needs: its float32 values, and its body too if that is buffered before decoding. */
    long memoryBytes() {
        return format.layout().byteLength() + (isPlain() ? 0 : bytes());
    }

    private boolean isPlain() {
        return format.encoding().equals(Encodings.PLAIN) && body.isPlain(format.layout());
    }

    /** Returns the sink for the arriving values. */
    BodySink sink(float[] values) {
        if (isPlain()) {
            FloatSink floats = new FloatSink((chunk, at, count) -> chunk.get(values, at, count));
            plain = floats;
            return floats;
        }
        byte[] array = buffers.acquire(body.dataBytes());
        encoded = array;
        ByteBuffer tensors = ByteBuffer.wrap(array, 0, body.dataBytes());
        return tensors::put;
    }

    /**
     * Completes {@code values}, in the order of the layout, after the {@link #sink} has taken everything; refuses the request
     * if they are not finite.
     */
    void finish(float[] values) {
        boolean isFinite;
        FloatSink floats = plain;
        if (floats != null) {
            isFinite = floats.isFinite();
        } else {
            decode(body.with(ByteBuffer.wrap(Objects.requireNonNull(encoded), 0, body.dataBytes())), values);
            isFinite = FiniteValues.areIn(values);
        }
        if (!isFinite) {
            throw FiniteValues.refusal(format.layout(), values);
        }
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
}
