package org.fleetgrad.protocol.tensor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Tensors over one run of bytes, with the strings that are sent with them.
 *
 * <p>The set does not copy: it is a read-only view of the given buffer, and is valid for as long as the buffer's
 * content does not change. Reading is thread-safe.
 */
public final class TensorSet {

    private final TensorLayout layout;
    private final ByteBuffer data;
    private final Map<String, String> metadata;

    /**
     * Views {@code data}, from its position to its limit, as the tensors of {@code layout}.
     *
     * @throws IllegalArgumentException when the bytes are not exactly as many as the layout has
     */
    public TensorSet(TensorLayout layout, ByteBuffer data, Map<String, String> metadata) {
        if (data.remaining() != layout.byteLength()) {
            throw new IllegalArgumentException("%d tensors take %d bytes, the buffer holds %d"
                    .formatted(layout.size(), layout.byteLength(), data.remaining()));
        }
        this.layout = layout;
        this.data = data.slice().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
        this.metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
    }

    /**
     * Copies float32 values, laid out as {@code layout} says, into a new set.
     *
     * @throws IllegalArgumentException when a tensor is not float32, or the values are not exactly as many as it has
     */
    public static TensorSet ofFloats(TensorLayout layout, float[] values, Map<String, String> metadata) {
        if (!layout.isAllFloat32()) {
            throw new IllegalArgumentException("only float32 tensors are made of floats");
        }
        if (layout.elementCount() != values.length) {
            throw new IllegalArgumentException(
                    "the layout has %d float32 values, given were %d".formatted(layout.elementCount(), values.length));
        }
        ByteBuffer bytes =
                ByteBuffer.allocate(Math.toIntExact(layout.byteLength())).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        return new TensorSet(layout, bytes, metadata);
    }

    /** Returns the tensors' names, types, shapes and places. */
    public TensorLayout layout() {
        return layout;
    }

    /** Returns the strings that are sent with the tensors. */
    public Map<String, String> metadata() {
        return metadata;
    }

    /** Returns all bytes as a new view: read-only, little-endian. */
    public ByteBuffer data() {
        return data.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the bytes of one tensor: read-only, little-endian; nothing if there is no such tensor. */
    public Optional<ByteBuffer> bytes(String name) {
        return layout.indexOf(name).map(this::bytes);
    }

    private ByteBuffer bytes(int index) {
        int offset = Math.toIntExact(layout.byteOffset(index));
        int length = Math.toIntExact(layout.specs().get(index).byteLength());
        return data.slice(offset, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Copies every value into {@code target} in the order of {@code order}, which must hold the same tensors.
     *
     * @throws IllegalArgumentException when the tensors differ, or are not float32, or {@code target} has another
     *     length
     */
    public void copyFloats(TensorLayout order, float[] target) {
        if (target.length != order.elementCount()) {
            throw new IllegalArgumentException(
                    "the layout has %d values, the target %d".formatted(order.elementCount(), target.length));
        }
        if (!order.isAllFloat32()) {
            throw new IllegalArgumentException("only float32 tensors are copied as floats");
        }
        if (order.equals(layout)) {
            data.duplicate().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(target);
            return;
        }
        order.firstDifference(layout).ifPresent(difference -> {
            throw new IllegalArgumentException(difference.message());
        });
        FloatBuffer into = FloatBuffer.wrap(target);
        for (TensorSpec spec : order.specs()) {
            into.put(bytes(spec.name()).orElseThrow().asFloatBuffer());
        }
    }

    /** Returns every value in the order of {@code order}; see {@link #copyFloats}. */
    public float[] toFloats(TensorLayout order) {
        float[] values = new float[Math.toIntExact(order.elementCount())];
        copyFloats(order, values);
        return values;
    }
}
