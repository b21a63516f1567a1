package org.fleetgrad.libtorch;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.jspecify.annotations.Nullable;

/**
 * The tensors of a network on the processor. Java writes and reads libtorch's memory in place: loading and collecting are one
 * copy each.
 */
final class HostTensors extends Tensors {

    HostTensors(NetworkSpec spec, PtNDManager manager) {
        super(spec, manager);
        for (int i = 0; i < evaluated.length; i++) {
            evaluated[i] = zeros(shape(specs.get(i)));
        }
    }

    @Override
    void load(TensorSet set) {
        for (int i = 0; i < evaluated.length; i++) {
            Optional<ByteBuffer> bytes = set.bytes(specs.get(i).name());
            if (bytes.isPresent()) {
                NativeTensors.values(evaluated[i])
                        .put(bytes.get().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer());
            }
        }
    }

    @Override
    void copyFrom(Tensors other) {
        for (int i = 0; i < evaluated.length; i++) {
            NativeTensors.values(evaluated[i]).put(NativeTensors.values(other.evaluated[i]));
        }
    }

    @Override
    void collect(float[] target) {
        int at = 0;
        for (int i = 0; i < evaluated.length; i++) {
            if (isFrozen()[i]) {
                continue;
            }
            int count = (int) specs.get(i).elementCount();
            if (isState[i]) {
                NativeTensors.values(trained()[i]).get(target, at, count);
            } else {
                copyGradient(trained()[i], target, at, count);
            }
            at += count;
        }
    }

    private static void copyGradient(PtNDArray parameter, float[] target, int at, int count) {
        try (@Nullable PtNDArray gradient = JniUtils.getGradient(parameter)) {
            if (gradient == null) {
                Arrays.fill(target, at, at + count, 0);
            } else {
                NativeTensors.values(gradient).get(target, at, count);
            }
        }
    }
}
