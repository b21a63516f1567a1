package org.fleetgrad.libtorch;

import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import org.fleetgrad.protocol.tensor.TensorLayout;

/** Tensors of a stage in libtorch's own memory on the processor, which Java reads and writes in place. */
final class NativeTensors implements AutoCloseable {

    private final PtNDManager manager;
    private final PtNDArray[] arrays;
    private final FloatBuffer[] values;
    private final int count;
    private boolean isClosed;

    /** Allocates memory for a layout, with values in its order. */
    NativeTensors(TensorLayout layout, PtNDManager owner, float[] initial) {
        this.manager = (PtNDManager) owner.newSubManager();
        this.arrays = new PtNDArray[layout.size()];
        this.values = new FloatBuffer[layout.size()];
        this.count = Math.toIntExact(layout.elementCount());
        for (int i = 0; i < arrays.length; i++) {
            arrays[i] = empty(manager, layout.specs().get(i).shape());
            values[i] = values(arrays[i]);
        }
        set(initial);
    }

    /** Allocates an uninitialized array. */
    static PtNDArray empty(PtNDManager manager, List<Long> shape) {
        return manager.create(
                new Shape(shape.stream().mapToLong(Long::longValue).toArray()), DataType.FLOAT32);
    }

    /** Returns a view of the memory of an array. It must not be used after the array is closed. */
    static FloatBuffer values(PtNDArray array) {
        return JniUtils.getByteBuffer(array, true)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }

    /** Overwrites all values in place. */
    void set(float[] source) {
        set(FloatBuffer.wrap(source));
    }

    /** Overwrites all values in place with those from the buffer's position to its limit. */
    void set(FloatBuffer source) {
        requireUse(source.remaining());
        int at = source.position();
        for (FloatBuffer tensor : values) {
            tensor.duplicate().put(source.slice(at, tensor.capacity()));
            at += tensor.capacity();
        }
    }

    /** Returns the number of all values. */
    int count() {
        return count;
    }

    /** Copies all values. */
    void get(float[] target) {
        requireUse(target.length);
        int at = 0;
        for (FloatBuffer tensor : values) {
            tensor.duplicate().get(target, at, tensor.capacity());
            at += tensor.capacity();
        }
    }

    private void requireUse(int length) {
        // Access to a view of freed memory would crash the process.
        if (isClosed) {
            throw new IllegalStateException("the tensors are closed");
        }
        if (length != count) {
            throw new IllegalArgumentException("these tensors have %d values; there are %d".formatted(count, length));
        }
    }

    /** Returns the arrays, by their indices in the layout. */
    PtNDArray[] arrays() {
        return arrays;
    }

    @Override
    public void close() {
        isClosed = true;
        manager.close();
    }
}
