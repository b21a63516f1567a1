package org.fleetgrad.libtorch;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.ndarray.types.SparseFormat;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import org.fleetgrad.networks.layer.SelfAttention;

/**
 * Keys and values of the tokens of one text, for each attention layer: {@link Operator#CACHED_ATTENTION} writes those of new
 * tokens in place, behind the others. Its arrays belong to the manager. Not thread-safe.
 */
final class KeyValueCache {

    private final PtNDManager manager;
    private final int capacity;
    private final PtNDArray length;
    private final LongBuffer tokens;
    private long bytes;

    /**
     * Makes an empty cache without layers.
     *
     * @param capacity the most tokens
     */
    KeyValueCache(PtNDManager manager, int capacity) {
        this.manager = manager;
        this.capacity = capacity;
        // On the processor, whatever the device: the operator reads it without waiting for a GPU.
        this.length =
                JniUtils.createZerosNdArray(manager, new Shape(), DataType.INT64, Device.cpu(), SparseFormat.DENSE);
        this.tokens = JniUtils.getByteBuffer(length, true)
                .order(ByteOrder.nativeOrder())
                .asLongBuffer();
    }

    /**
     * Allocates the keys and values of one more layer: [1, capacity, 2, heads, width / heads]. The distance between two tokens
     * does not depend on the capacity, and so the last bits of the logits do not either.
     */
    PtNDArray add(SelfAttention attention) {
        int heads = attention.heads();
        Shape shape = new Shape(1, capacity, 2, heads, attention.width() / heads);
        bytes += shape.size() * Float.BYTES;
        return manager.create(shape, DataType.FLOAT32);
    }

    /** Returns the bytes of all layers. */
    long bytes() {
        return bytes;
    }

    /** Returns {@link #tokens} as an array for the operator. */
    PtNDArray length() {
        return length;
    }

    /** Returns the number of tokens whose keys and values are here. */
    int tokens() {
        return (int) tokens.get(0);
    }

    /** Sets the number of tokens: the rows of those behind are free. */
    void setTokens(int count) {
        if (count < 0 || count > capacity) {
            throw new IllegalStateException("a cache of %d tokens cannot have %d".formatted(capacity, count));
        }
        tokens.put(0, count);
    }
}
