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
final class DeviceTensors implements Tensors {

    private final List<TensorSpec> specs;
    private final boolean[] isState;
    private final PtNDManager manager;
    private final Device device;
    private final ByteBuffer host;
    private final long count;
    private final PtNDArray all;
    private final PtNDArray[] evaluated;
    private final PtNDArray[] trained;
    private boolean isTraining;

    DeviceTensors(NetworkSpec spec, PtNDManager manager, Device device) {
        this.specs = spec.layout().specs();
        this.manager = manager;
        this.device = device;
        this.count = spec.layout().elementCount();
        this.host =
                ByteBuffer.allocateDirect(Math.toIntExact(count * Float.BYTES)).order(ByteOrder.nativeOrder());
        this.all = (PtNDArray) manager.zeros(new Shape(count), DataType.FLOAT32);
        this.isState = new boolean[specs.size()];
        this.evaluated = new PtNDArray[specs.size()];
        this.trained = new PtNDArray[specs.size()];
        long at = 0;
        for (int i = 0; i < evaluated.length; i++) {
            TensorSpec tensor = specs.get(i);
            isState[i] = spec.state().has(tensor.name());
            try (PtNDArray piece = JniUtils.slice(all, 0, at, at + tensor.elementCount(), 1)) {
                evaluated[i] = JniUtils.reshape(piece, shape(tensor));
            }
            at += tensor.elementCount();
        }
    }

    private static long[] shape(TensorSpec tensor) {
        return tensor.shape().stream().mapToLong(Long::longValue).toArray();
    }

    @Override
    public void load(TensorSet set) {
        FloatBuffer floats = host.duplicate().order(ByteOrder.nativeOrder()).asFloatBuffer();
        for (TensorSpec tensor : specs) {
            floats.put(set.bytes(tensor.name())
                    .orElseThrow()
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asFloatBuffer());
        }
        try (PtNDArray values = JniUtils.createNdFromByteBuffer(
                manager, host.duplicate(), new Shape(count), DataType.FLOAT32, SparseFormat.DENSE, device)) {
            // Write in place: the array's slices, and the leaves over them, stay valid.
            JniUtils.indexSet(all, values, new long[] {0}, new long[] {count}, new long[] {1});
        }
    }

    @Override
    public void copyFrom(Tensors other) {
        // From device to device, in place, so that the slices stay valid.
        JniUtils.indexSet(all, ((DeviceTensors) other).all, new long[] {0}, new long[] {count}, new long[] {1});
    }

    @Override
    public PtNDArray[] evaluated() {
        return evaluated;
    }

    @Override
    public PtNDArray[] trained() {
        if (!isTraining) {
            for (int i = 0; i < trained.length; i++) {
                if (isState[i]) {
                    trained[i] = (PtNDArray) manager.zeros(new Shape(shape(specs.get(i))), DataType.FLOAT32);
                } else {
                    trained[i] = Tensors.leaf(evaluated[i]);
                }
            }
            isTraining = true;
        }
        return trained;
    }

    @Override
    public void collect(float[] target) {
        List<PtNDArray> pieces = new ArrayList<>();
        try {
            for (int i = 0; i < trained.length; i++) {
                pieces.add(flat(i));
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
        if (isState[index]) {
            return JniUtils.reshape(trained[index], row);
        }
        try (@Nullable PtNDArray gradient = JniUtils.getGradient(trained[index])) {
            return gradient == null
                    ? (PtNDArray) manager.zeros(new Shape(specs.get(index).elementCount()), DataType.FLOAT32)
                    : JniUtils.reshape(gradient, row);
        }
    }

    @Override
    public void reset() {
        if (isTraining) {
            for (PtNDArray tensor : trained) {
                tensor.close();
            }
            isTraining = false;
        }
    }
}
