package org.fleetgrad.protocol.encoding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorLayout.LayoutDifference;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * The wire format of one parameter set's tensors: the {@linkplain ParameterState state} as float32, all other tensors
 * in an encoding. Int8 blocks or top-k would ruin a variance.
 *
 * <p>On the wire the state comes first, so that its float32 values are aligned. Immutable and safe to share.
 */
public final class TensorFormat {

    private final Encoding encoding;
    private final TensorLayout layout;
    private final TensorLayout wireLayout;
    // Empty if all values are encoded: then no values are moved.
    private final List<Run> state;
    private final List<Run> encoded;
    private final TensorLayout encodedLayout;

    /** Adjacent values: their position among all values, and their number. */
    private record Run(int from, int count) {}

    /**
     * @param layout float32 tensors
     * @param state  of these tensors; names that the layout does not have are ignored
     * @throws IllegalArgumentException when a name that the encoding adds is taken
     */
    public TensorFormat(Encoding encoding, TensorLayout layout, ParameterState state) {
        this.encoding = encoding;
        this.layout = layout;
        boolean isSplit = !encoding.isLossless() && layout.specs().stream().anyMatch(spec -> state.has(spec.name()));
        this.state = isSplit ? runs(layout, state, true) : List.of();
        this.encoded = isSplit ? runs(layout, state, false) : List.of();
        this.encodedLayout = isSplit ? without(layout, state) : layout;
        TensorLayout ofEncoded = encoding.wireLayout(encodedLayout);
        this.wireLayout = isSplit
                ? TensorLayout.inOrder(Stream.concat(
                                layout.specs().stream().filter(spec -> state.has(spec.name())),
                                ofEncoded.specs().stream())
                        .toList())
                : ofEncoded;
    }

    /**
     * Returns the format of tensors received over the wire.
     *
     * @param wire  their layout
     * @param state that their metadata name
     * @throws IllegalArgumentException when they are not the tensors of such a format; the message names the first that
     *     differs
     */
    public static TensorFormat ofWire(ParameterEncoding encoding, TensorLayout wire, ParameterState state) {
        TensorLayout others = without(wire, state);
        TensorLayout plain = encoding.plainLayout(others);
        TensorLayout layout = others.size() == wire.size()
                ? plain
                : TensorLayout.canonical(Stream.concat(
                                plain.specs().stream(),
                                wire.specs().stream()
                                        .filter(spec -> state.has(spec.name()))
                                        .map(spec -> new TensorSpec(spec.name(), DType.F32, spec.shape())))
                        .toList());
        TensorFormat format = new TensorFormat(encoding, layout, state);
        format.difference(wire).ifPresent(difference -> {
            throw new IllegalArgumentException(difference.message());
        });
        return format;
    }

    private static TensorLayout without(TensorLayout layout, ParameterState state) {
        return TensorLayout.inOrder(
                layout.specs().stream().filter(spec -> !state.has(spec.name())).toList());
    }

    private static List<Run> runs(TensorLayout layout, ParameterState state, boolean isState) {
        List<Run> runs = new ArrayList<>();
        int at = 0;
        for (TensorSpec spec : layout.specs()) {
            int count = Math.toIntExact(spec.elementCount());
            if (state.has(spec.name()) == isState) {
                runs.add(new Run(at, count));
            }
            at += count;
        }
        return List.copyOf(runs);
    }

    /** Returns the encoding of all tensors that are not state. */
    public Encoding encoding() {
        return encoding;
    }

    /** Returns the float32 tensors that it is made for. */
    public TensorLayout layout() {
        return layout;
    }

    /** Returns the tensors on the wire; see {@link Encoding#wireLayout}. */
    public TensorLayout wireLayout() {
        return wireLayout;
    }

    /** Describes how the tensors of a body differ from those on the wire; empty if they do not. */
    public Optional<LayoutDifference> difference(TensorLayout wire) {
        Optional<LayoutDifference> difference =
                state.isEmpty() ? encoding.firstDifference(layout, wire) : wireLayout.firstDifference(wire);
        if (encoding.equals(Encodings.PLAIN)) {
            return difference;
        }
        return difference.map(found -> new LayoutDifference(
                found.tensor(),
                found.message().replace("the parameter set", "the parameter set encoded as " + encoding.text())));
    }

    /**
     * Writes the tensors on the wire, and leaves the residual in {@code values}; see {@link Encoding#encode}.
     *
     * @param values as many as the layout has; finite if the encoding is not lossless
     * @param wire   filled from its position
     */
    public void encode(float[] values, ByteBuffer wire) {
        if (state.isEmpty()) {
            encoding.encode(layout, values, wire);
            return;
        }
        for (Run run : state) {
            wire.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(values, run.from(), run.count());
            wire.position(wire.position() + Float.BYTES * run.count());
            Arrays.fill(values, run.from(), run.from() + run.count(), -0f);
        }
        float[] others = new float[(int) encodedLayout.elementCount()];
        gather(values, others);
        encoding.encode(encodedLayout, others, wire);
        scatter(others, values);
    }

    /**
     * Reads the values of tensors from the wire.
     *
     * @param wire   tensors without a {@linkplain #difference difference}
     * @param values as many as the layout has; not defined after an exception
     * @throws EncodingException when the tensors hold bytes that no encoder writes
     */
    public void decode(TensorSet wire, float[] values) throws EncodingException {
        if (state.isEmpty()) {
            encoding.decode(layout, wire, values);
            return;
        }
        float[] others = new float[(int) encodedLayout.elementCount()];
        // The encoding finds its tensors by name.
        encoding.decode(encodedLayout, wire, others);
        scatter(others, values);
        int at = 0;
        for (TensorSpec spec : layout.specs()) {
            int count = (int) spec.elementCount();
            if (encodedLayout.indexOf(spec.name()).isEmpty()) {
                wire.bytes(spec.name()).orElseThrow().asFloatBuffer().get(values, at, count);
            }
            at += count;
        }
    }

    private void gather(float[] values, float[] others) {
        int at = 0;
        for (Run run : encoded) {
            System.arraycopy(values, run.from(), others, at, run.count());
            at += run.count();
        }
    }

    private void scatter(float[] others, float[] values) {
        int at = 0;
        for (Run run : encoded) {
            System.arraycopy(others, at, values, run.from(), run.count());
            at += run.count();
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TensorFormat format
                && encoding.equals(format.encoding)
                && layout.equals(format.layout)
                && wireLayout.equals(format.wireLayout);
    }

    @Override
    public int hashCode() {
        return wireLayout.hashCode();
    }
}
