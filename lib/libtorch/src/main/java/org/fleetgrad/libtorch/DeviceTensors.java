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
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.jspecify.annotations.Nullable;

/**
 * The tensors of a network on a GPU: slices of one array, so that all parameters are copied to the device in one transfer, and
 * all gradients back in one. DJL offers no page-locked memory, so the transfers are pageable.
 */
final class DeviceTensors extends Tensors {

    private final Device device;
    private final ByteBuffer host;
    private final long count;
    private final PtNDArray all;

    DeviceTensors(NetworkSpec spec, PtNDManager manager, Device device) {
        super(spec, manager);
        this.device = device;
        this.count = spec.layout().elementCount();
        this.host =
                ByteBuffer.allocateDirect(Math.toIntExact(count * Float.BYTES)).order(ByteOrder.nativeOrder());
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
        FloatBuffer floats = host.duplicate().order(ByteOrder.nativeOrder()).asFloatBuffer();
        for (TensorSpec tensor : specs) {
            int end = floats.position() + (int) tensor.elementCount();
            // What the set lacks is frozen, and still here from the last complete set.
            set.bytes(tensor.name())
                    .ifPresent(bytes ->
                            floats.put(bytes.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer()));
            floats.position(end);
        }
        try (PtNDArray values = JniUtils.createNdFromByteBuffer(
                manager, host.duplicate(), new Shape(count), DataType.FLOAT32, SparseFormat.DENSE, device)) {
            overwrite(values);
        }
    }

    @Override
    void copyFrom(Tensors other) {
        overwrite(((DeviceTensors) other).all);
    }

    /** Writes in place: the array's slices, and the leaves over them, stay valid. */
    private void overwrite(PtNDArray values) {
        JniUtils.indexSet(all, values, new long[] {0}, new long[] {count}, new long[] {1});
    }

    @Override
    void collect(float[] target) {
        List<PtNDArray> pieces = new ArrayList<>();
        try {
            for (int i = 0; i < evaluated.length; i++) {
                if (!isFrozen()[i]) {
                    pieces.add(flat(i));
                }
            }
            try (PtNDArray joined = JniUtils.cat(pieces.toArray(PtNDArray[]::new), 0)) {
                joined.toByteBuffer(true)
                        .order(ByteOrder.nativeOrder())
                        .asFloatBuffer()
                        .get(target);
            }
        } finally {
            pieces.forEach(PtNDArray::close);
        }
    }

    private PtNDArray flat(int index) {
        long[] row = {-1};
        PtNDArray tensor = trained()[index];
        if (isState[index]) {
            return JniUtils.reshape(tensor, row);
        }
        try (@Nullable PtNDArray gradient = JniUtils.getGradient(tensor)) {
            return gradient == null ? zeros(specs.get(index).elementCount()) : JniUtils.reshape(gradient, row);
        }
    }
}
