package org.fleetgrad.libtorch;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.IValue;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * Memory of the processor that values cross on their way to a device, or from it. For a GPU it is page-locked: the GPU reads and writes
 * it by itself, while it would wait for the driver to copy other memory first. DJL has no call for such memory, so operators have. A copy
 * follows in the order of the device's stream, after what was computed before it. Not thread-safe.
 */
final class TransferMemory implements AutoCloseable {

    private final PtNDManager manager;
    private final int capacity;
    private final PtNDArray host;
    /** One value of the device, and its copy here: who has the copy knows that all copies before it are over. */
    private final PtNDArray mark;

    private final PtNDArray marked;
    private boolean isRead;

    /**
     * Allocates memory.
     *
     * @param owner    on the device
     * @param capacity number of values
     */
    TransferMemory(PtNDManager owner, int capacity) {
        this.manager = (PtNDManager) owner.newSubManager();
        this.capacity = capacity;
        // First: libtorch locks pages for a GPU that it already uses, or else for the first of the machine, which is
        // another worker's.
        this.mark = (PtNDArray) manager.zeros(new Shape(1), DataType.FLOAT32);
        this.host = owner.getDevice().isGpu() ? pinned(manager, capacity) : onProcessor(capacity);
        this.marked = onProcessor(1);
    }

    private static PtNDArray pinned(PtNDManager manager, int capacity) {
        try (IValue count = IValue.from((long) capacity);
                IValue memory = Operator.PINNED_MEMORY.run(count)) {
            return memory.toTensor(manager);
        }
    }

    private PtNDArray onProcessor(int count) {
        return (PtNDArray) manager.create(new Shape(count), DataType.FLOAT32, Device.cpu());
    }

    /** Returns how many values fit. */
    int capacity() {
        return capacity;
    }

    /** Returns the memory, to write into: waits until no copy reads it. */
    FloatBuffer values() {
        if (isRead) {
            copy(List.of(mark), marked);
            isRead = false;
        }
        return NativeTensors.values(host);
    }

    /** Begins to overwrite an array of the device with as many of the first values as it has. */
    void copyInto(PtNDArray target) {
        isRead = true;
        try (PtNDArray values = JniUtils.slice(host, 0, 0, target.size(), 1);
                PtNDArray shaped = JniUtils.reshape(values, target.getShape().getShape())) {
            Operator.COPY_INTO.run(target, shaped).close();
        }
    }

    /** Copies arrays of the device, one behind the other, and returns their values when all are here. */
    FloatBuffer copied(List<PtNDArray> arrays) {
        copy(arrays, host);
        isRead = false;
        return NativeTensors.values(host);
    }

    private static void copy(List<PtNDArray> arrays, PtNDArray target) {
        try (IValue sources = IValue.listFrom(arrays.toArray(PtNDArray[]::new));
                IValue memory = IValue.from(target)) {
            Operator.COPY_TO_HOST.run(sources, memory).close();
        }
    }

    @Override
    public void close() {
        manager.close();
    }
}
