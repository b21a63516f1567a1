package org.fleetgrad.libtorch;

import ai.djl.Device;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.jspecify.annotations.Nullable;

/**
 * The tensors of a network on the processor. Loading writes into memory that libtorch shares; a gradient is read where
 * libtorch has it: one copy each way.
 */
final class HostTensors implements Tensors {

    private final List<TensorSpec> specs;
    private final boolean[] isState;
    private final HostMemory loaded;
    private final HostMemory observed;
    private final PtNDArray[] evaluated;
    private final PtNDArray[] buffers;
    private final PtNDArray[] trained;
    private boolean isTraining;

    HostTensors(NetworkSpec spec, PtNDManager manager) {
        this.specs = spec.layout().specs();
        int count = specs.size();
        this.isState = new boolean[count];
        this.loaded = new HostMemory(specs, tensor -> true);
        this.observed = new HostMemory(specs, tensor -> spec.state().has(tensor.name()));
        this.evaluated = new PtNDArray[count];
        this.buffers = new PtNDArray[count];
        this.trained = new PtNDArray[count];
        for (int i = 0; i < count; i++) {
            isState[i] = spec.state().has(specs.get(i).name());
            evaluated[i] = loaded.array(i, manager, Device.cpu());
            if (isState[i]) {
                buffers[i] = observed.array(i, manager, Device.cpu());
            }
        }
    }

    @Override
    public void load(TensorSet set) {
        for (int i = 0; i < specs.size(); i++) {
            loaded.values(i)
                    .put(set.bytes(specs.get(i).name())
                            .orElseThrow()
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .asFloatBuffer());
        }
    }

    @Override
    public void copyFrom(Tensors other) {
        loaded.copyFrom(((HostTensors) other).loaded);
    }

    @Override
    public PtNDArray[] evaluated() {
        return evaluated;
    }

    @Override
    public PtNDArray[] trained() {
        if (!isTraining) {
            observed.clear();
            for (int i = 0; i < trained.length; i++) {
                trained[i] = isState[i] ? buffers[i] : Tensors.leaf(evaluated[i]);
            }
            isTraining = true;
        }
        return trained;
    }

    @Override
    public void collect(float[] target) {
        int at = 0;
        for (int i = 0; i < trained.length; i++) {
            int count = (int) specs.get(i).elementCount();
            if (isState[i]) {
                observed.values(i).get(target, at, count);
            } else {
                copyGradient(trained[i], target, at, count);
            }
            at += count;
        }
    }

    private static void copyGradient(PtNDArray parameter, float[] target, int at, int count) {
        try (@Nullable PtNDArray gradient = JniUtils.getGradient(parameter)) {
            if (gradient == null) {
                Arrays.fill(target, at, at + count, 0);
                return;
            }
            FloatBuffer values = JniUtils.getByteBuffer(gradient, true).asFloatBuffer();
            values.get(target, at, count);
        }
    }

    @Override
    public void reset() {
        if (isTraining) {
            for (int i = 0; i < trained.length; i++) {
                if (!isState[i]) {
                    trained[i].close();
                }
            }
            isTraining = false;
        }
    }
}
