package org.fleetgrad.networks;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Network} over DJL's PyTorch engine.
 *
 * <p>Each batch has its own NDManager, which is closed after the batch: the garbage collector does not free libtorch's
 * memory, so an unclosed array is a leak. The gradient of each parameter is zeroed one by one, because DJL's gradient
 * collector would walk every live array.
 */
final class LibtorchNetwork implements Network {

    private final Architecture architecture;
    private final NDManager manager;
    private final Map<String, NDArray> parameters = new LinkedHashMap<>();
    /** The values last loaded. libtorch may share this memory, so it must live as long as the network. */
    private final ByteBuffer values;

    private @Nullable ByteBuffer images;
    private boolean hasGradient;

    LibtorchNetwork(Architecture architecture, Device device) {
        this.architecture = architecture;
        Engine engine = LibtorchEngine.get();
        this.manager = engine.newBaseManager(device.open(engine));
        TensorLayout layout = architecture.spec().layout();
        this.values =
                ByteBuffer.allocateDirect(Math.toIntExact(layout.byteLength())).order(ByteOrder.nativeOrder());
        for (TensorSpec spec : layout.specs()) {
            NDArray parameter = manager.zeros(
                    new Shape(spec.shape().stream().mapToLong(Long::longValue).toArray()), DataType.FLOAT32);
            parameter.setRequiresGradient(true);
            parameters.put(spec.name(), parameter);
        }
    }

    @Override
    public NetworkSpec spec() {
        return architecture.spec();
    }

    @Override
    public void load(TensorSet set) {
        TensorLayout layout = spec().layout();
        layout.firstDifference(set.layout()).ifPresent(difference -> {
            throw new IllegalArgumentException(
                    difference.message().replace("the parameter set", "the network " + spec().name()));
        });
        int at = 0;
        for (TensorSpec tensor : layout.specs()) {
            int bytes = (int) tensor.byteLength();
            ByteBuffer slice = values.slice(at, bytes).order(ByteOrder.nativeOrder());
            slice.asFloatBuffer().put(set.bytes(tensor.name()).orElseThrow().asFloatBuffer());
            parameter(tensor).set(slice);
            at += bytes;
        }
    }

    @Override
    public float accumulate(float[] batch, int[] labels, int count) {
        requireBatch(batch, count);
        try (NDManager scope = manager.newSubManager()) {
            NDArray input = input(scope, batch, count);
            NDArray targets = scope.create(targets(labels, count), new Shape(count, 1));
            return GradientMode.on(() -> backward(scope, input, targets));
        }
    }

    private float backward(NDManager scope, NDArray input, NDArray targets) {
        NDArray logits = architecture.forward(parameters, input);
        // Cross-entropy: the mean over the batch of -log softmax(logits)[label].
        NDArray loss = logits.logSoftmax(1).gather(targets, 1).mean().neg();
        hasGradient = true;
        JniUtils.backward((PtNDArray) loss, (PtNDArray) scope.ones(loss.getShape()), false, false);
        return loss.getFloat();
    }

    @Override
    public void drainGradient(float[] target, float scale) {
        TensorLayout layout = spec().layout();
        if (target.length != layout.elementCount()) {
            throw new IllegalArgumentException("the gradient of %s has %d values, the target %d"
                    .formatted(spec().name(), layout.elementCount(), target.length));
        }
        if (!hasGradient) {
            throw new IllegalStateException("no batch was accumulated since the last gradient was taken");
        }
        int at = 0;
        for (TensorSpec tensor : layout.specs()) {
            int count = (int) tensor.elementCount();
            try (NDArray gradient = parameter(tensor).getGradient()) {
                FloatBuffer floats = gradient.toByteBuffer(true)
                        .order(ByteOrder.nativeOrder())
                        .asFloatBuffer();
                floats.get(target, at, count);
            }
            at += count;
        }
        if (scale != 1f) {
            for (int i = 0; i < target.length; i++) {
                target[i] *= scale;
            }
        }
        discardGradient();
    }

    @Override
    public void discardGradient() {
        if (hasGradient) {
            // Sets zeros; multiplying by zero would keep the NaN of a diverged batch.
            parameters.values().forEach(parameter -> JniUtils.zeroGrad((PtNDArray) parameter));
            hasGradient = false;
        }
    }

    @Override
    public float[] logits(float[] batch, int count) {
        requireBatch(batch, count);
        try (NDManager scope = manager.newSubManager()) {
            NDArray input = input(scope, batch, count);
            return GradientMode.off(
                    () -> architecture.forward(parameters, input).toFloatArray());
        }
    }

    private void requireBatch(float[] batch, int count) {
        if (count < 1 || batch.length < (long) count * spec().inputSize()) {
            throw new IllegalArgumentException("a batch of %d images of %s takes %d values; there are %d"
                    .formatted(count, spec().inputShape(), (long) count * spec().inputSize(), batch.length));
        }
    }

    private NDArray input(NDManager scope, float[] batch, int count) {
        int size = count * spec().inputSize();
        ByteBuffer buffer = images;
        if (buffer == null || buffer.capacity() < size * Float.BYTES) {
            buffer = ByteBuffer.allocateDirect(size * Float.BYTES).order(ByteOrder.nativeOrder());
            images = buffer;
        }
        buffer.clear().limit(size * Float.BYTES);
        buffer.asFloatBuffer().put(batch, 0, size);
        long[] shape = {
            count,
            spec().inputShape().get(0),
            spec().inputShape().get(1),
            spec().inputShape().get(2)
        };
        return scope.create(buffer, new Shape(shape), DataType.FLOAT32);
    }

    private long[] targets(int[] labels, int count) {
        if (labels.length < count) {
            throw new IllegalArgumentException(
                    "a batch of %d images takes %d labels; there are %d".formatted(count, count, labels.length));
        }
        long[] targets = new long[count];
        for (int i = 0; i < count; i++) {
            if (labels[i] < 0 || labels[i] >= spec().classes()) {
                throw new IllegalArgumentException(
                        "label %d of sample %d is not one of the %d classes".formatted(labels[i], i, spec().classes()));
            }
            targets[i] = labels[i];
        }
        return targets;
    }

    private NDArray parameter(TensorSpec tensor) {
        NDArray parameter = parameters.get(tensor.name());
        if (parameter == null) {
            throw new IllegalStateException("no parameter " + tensor.name());
        }
        return parameter;
    }

    @Override
    public void close() {
        manager.close();
    }
}
