package org.fleetgrad.protocol.encoding;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorLayout.LayoutDifference;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * A wire encoding of float32 values: C encodes values as the tensors of a safetensors file, and D decodes these tensors
 * into values.
 *
 * <p>Both are pure functions: the same values make the same bytes, and the same bytes the same values, on every
 * machine. Values are float32 in the order of a layout of float32 tensors; the tensors on the wire are little-endian.
 * Immutable and safe to share.
 */
public sealed interface Encoding permits LosslessEncoding, ParameterEncoding, TopK, TwoBit {

    /** Metadata key under which a file names its encoding; a file without it is float32. */
    String METADATA_KEY = "encoding";

    /** Returns the name without parameters, such as {@code topk}. */
    String name();

    /**
     * Returns the name, with its parameter if it has one, such as {@code topk:0.01}; {@link Encodings#parse} reads it.
     */
    default String text() {
        return name();
    }

    /** Returns whether D(C(values)) equals the values, bit for bit. */
    default boolean isLossless() {
        return false;
    }

    /**
     * Returns the tensors on the wire for the float32 tensors of {@code layout}, in the order in which {@link #encode}
     * writes them. With {@link Rows} they depend on the values; these are then the ones that take the most bytes.
     *
     * @throws IllegalArgumentException when a name that the encoding adds is taken
     */
    TensorLayout wireLayout(TensorLayout layout);

    /** Returns this encoding for partitions, which may have pieces of the tensors of {@code whole}. */
    default Encoding forPiecesOf(TensorLayout whole) {
        return this;
    }

    /** Describes how tensors differ from those on the wire for {@code layout}; empty if they do not. */
    default Optional<LayoutDifference> firstDifference(TensorLayout layout, TensorLayout wire) {
        return wireLayout(layout).firstDifference(wire);
    }

    /**
     * Writes C({@code values}) into {@code wire}, and leaves {@code values} − D(C({@code values})) in {@code values}:
     * the residual, which the encoding lost. An exactly encoded value leaves −0: any value added to it keeps its bits.
     *
     * @param layout where each tensor's values are in {@code values}
     * @param values finite values; afterwards the residuals
     * @param wire   filled from its position with as many bytes as {@link #wireLayout} has; with {@link Rows} at most
     *     as many
     */
    void encode(TensorLayout layout, float[] values, ByteBuffer wire);

    /**
     * Reads D({@code wire}) into {@code values}.
     *
     * @param wire   tensors without a {@linkplain TensorFormat#difference difference} to those on the wire for {@code layout}
     * @param values as many as {@code layout} has; not defined after an exception
     * @throws EncodingException when the tensors hold bytes that no encoder writes; the message names tensor, rule and
     *     numbers
     */
    void decode(TensorLayout layout, TensorSet wire, float[] values) throws EncodingException;
}
