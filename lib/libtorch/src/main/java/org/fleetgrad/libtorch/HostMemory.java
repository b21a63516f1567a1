package org.fleetgrad.libtorch;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.ndarray.types.SparseFormat;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * Tensors in the memory of the JVM, which libtorch shares: a value that Java writes is in the tensor, without a copy. It must
 * live as long as any array over it, which {@link #array} ensures.
 */
final class HostMemory {

    /** A cache line, and libtorch's own alignment. */
    private static final int ALIGNMENT = 64;

    private final List<TensorSpec> specs;
    private final ByteBuffer[] tensors;
    private final ByteBuffer all;

    /** Allocates memory, all zeros, for the tensors that match {@code held}. */
    HostMemory(List<TensorSpec> specs, Predicate<TensorSpec> held) {
        this.specs = specs;
        List<Integer> offsets = new ArrayList<>();
        long size = 0;
        for (TensorSpec spec : specs) {
            offsets.add(Math.toIntExact(size));
            size += held.test(spec) ? aligned(spec.byteLength()) : 0;
        }
        this.all = ByteBuffer.allocateDirect(Math.toIntExact(size + ALIGNMENT))
                .alignedSlice(ALIGNMENT)
                // The start of the aligned part differs between allocations, and so does the remainder after it.
                .slice(0, Math.toIntExact(size))
                .order(ByteOrder.nativeOrder());
        this.tensors = new ByteBuffer[specs.size()];
        for (int i = 0; i < tensors.length; i++) {
            int bytes = held.test(specs.get(i)) ? (int) specs.get(i).byteLength() : 0;
            tensors[i] = all.slice(offsets.get(i), bytes).order(ByteOrder.nativeOrder());
        }
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /** Returns a tensor's values, to read and to write. */
    FloatBuffer values(int index) {
        return tensors[index].duplicate().order(ByteOrder.nativeOrder()).asFloatBuffer();
    }

    /** Copies all values from memory for the same tensors. */
    void copyFrom(HostMemory other) {
        all.duplicate().clear().put(other.all.duplicate().clear());
    }

    /** Sets all values to 0. */
    void clear() {
        ByteBuffer bytes = all.duplicate();
        bytes.clear();
        while (bytes.remaining() >= Long.BYTES) {
            bytes.putLong(0);
        }
    }

    /** Makes an array over a tensor's memory; on a GPU, a copy of it. */
    PtNDArray array(int index, PtNDManager manager, Device device) {
        TensorSpec spec = specs.get(index);
        long[] shape = spec.shape().stream().mapToLong(Long::longValue).toArray();
        return JniUtils.createNdFromByteBuffer(
                manager,
                tensors[index].duplicate().order(ByteOrder.nativeOrder()),
                new Shape(shape),
                DataType.FLOAT32,
                SparseFormat.DENSE,
                device);
    }
}
