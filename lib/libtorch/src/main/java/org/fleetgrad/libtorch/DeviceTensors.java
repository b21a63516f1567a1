package org.fleetgrad.libtorch;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.jspecify.annotations.Nullable;

/**
 * The tensors of a network on a GPU: slices of one array, so that all parameters are copied to the device in one transfer. The gradients
 * come back one behind the other into one block of page-locked memory, and take no second place on the device.
 */
final class DeviceTensors extends Tensors {

    private final int count;
    private final PtNDArray all;
    /** The loaded values; a copy of a network, which loads none, has none. */
    private @Nullable TransferMemory loaded;
    /** The results of the last interval. */
    private @Nullable TransferMemory results;

    DeviceTensors(NetworkSpec spec, PtNDManager manager) {
        super(spec, manager);
        this.count = Math.toIntExact(spec.layout().elementCount());
        this.all = zeros(count);
        long at = 0;
        for (int i = 0; i < evaluated.length; i++) {
            long size = specs.get(i).elementCount();
            try (PtNDArray piece = JniUtils.slice(all, 0, at, at + size, 1)) {
                evaluated[i] = JniUtils.reshape(piece, shape(specs.get(i)));
            }
            at += size;
        }
    }

    @Override
    void load(TensorSet set) {
        TransferMemory memory = loaded;
        if (memory == null) {
            memory = new TransferMemory(manager, count);
            loaded = memory;
        }
        FloatBuffer floats = memory.values();
        for (TensorSpec tensor : specs) {
            int end = floats.position() + (int) tensor.elementCount();
            // What the set lacks is frozen, and still here from the last complete set.
            set.bytes(tensor.name())
                    .ifPresent(bytes ->
                            floats.put(bytes.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer()));
            floats.position(end);
        }
        // In place: the array's slices, and the leaves over them, stay valid.
        memory.copyInto(all);
    }

    @Override
    void copyFrom(Tensors other) {
        JniUtils.indexSet(all, ((DeviceTensors) other).all, new long[] {0}, new long[] {count}, new long[] {1});
    }

    @Override
    void collect(float[] target) {
        TransferMemory memory = results;
        if (memory == null) {
            memory = new TransferMemory(manager, count);
            results = memory;
        }
        List<PtNDArray> arrays = new ArrayList<>();
        try {
            for (int i = 0; i < evaluated.length; i++) {
                if (!isFrozen()[i]) {
                    arrays.add(result(i));
                }
            }
            memory.copied(arrays).get(target);
        } finally {
            arrays.forEach(PtNDArray::close);
        }
    }

    /** Returns a tensor's gradient, or the statistics in its place, as an array of its own. */
    private PtNDArray result(int index) {
        PtNDArray tensor = trained()[index];
        if (isState[index]) {
            return JniUtils.reshape(tensor, new long[] {-1});
        }
        @Nullable PtNDArray gradient = JniUtils.getGradient(tensor);
        return gradient == null ? zeros(specs.get(index).elementCount()) : gradient;
    }
}
