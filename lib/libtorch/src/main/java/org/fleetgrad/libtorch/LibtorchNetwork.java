package org.fleetgrad.libtorch;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import org.fleetgrad.libtorch.Network.NetworkCopy;
import org.fleetgrad.libtorch.Network.NetworkReader;
import org.fleetgrad.libtorch.Steps.Pass;
import org.fleetgrad.libtorch.Steps.Step;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * A {@link Network} over DJL's PyTorch engine.
 *
 * <p>Each batch has its own manager, which is closed after the batch: the garbage collector does not free libtorch's
 * memory, so an unclosed array is a leak.
 */
final class LibtorchNetwork implements Network {

    private final NetworkDefinition definition;
    private final NetworkSpec spec;
    private final Step forward;
    private final Engine engine;
    private final Device device;
    private final PtNDManager manager;
    private final Tensors tensors;
    private final BatchInput input;
    private final boolean isAsOnGpu;

    private TensorLayout trainable;
    private int batches;

    LibtorchNetwork(NetworkDefinition definition, Engine engine, Device device) {
        this(definition, engine, device, device.isGpu());
    }

    /** Opens a network with tensors as for a GPU, or not; on a processor both compute the same. */
    LibtorchNetwork(NetworkDefinition definition, Engine engine, Device device, boolean isAsOnGpu) {
        this.definition = definition;
        this.spec = definition.spec();
        this.forward = Steps.of(definition.layers(), spec.layout());
        this.engine = engine;
        this.device = device;
        this.isAsOnGpu = isAsOnGpu;
        this.manager = (PtNDManager) engine.newBaseManager(device);
        this.tensors = tensors(manager);
        this.input = new BatchInput(spec, manager, isAsOnGpu);
        this.trainable = spec.layout();
    }

    private Tensors tensors(PtNDManager owner) {
        return isAsOnGpu ? new DeviceTensors(spec, owner) : new HostTensors(spec, owner);
    }

    @Override
    public NetworkSpec spec() {
        return spec;
    }

    @Override
    public void freeze(FrozenTensors frozen) {
        discardGradient();
        trainable = frozen.trainable(spec.layout());
        tensors.freeze(frozen);
    }

    @Override
    public TensorLayout trainable() {
        return trainable;
    }

    @Override
    public void load(TensorSet set) {
        boolean isTrainable = set.layout().size() == trainable.size();
        (isTrainable ? trainable : spec.layout()).firstDifference(set.layout()).ifPresent(difference -> {
            throw new IllegalArgumentException(
                    difference.message().replace("the parameter set", "the network " + spec.name()));
        });
        tensors.load(set);
    }

    @Override
    public float accumulate(
            float[] batch, float[] targets, int count, long dropoutSeed, float labelSmoothing, LossWeights weights) {
        input.require(batch, count);
        CrossEntropy.requireSmoothing(labelSmoothing);
        Targets compared = Targets.of(targets, count, spec.task(), labelSmoothing, weights);
        try (PtNDManager scope = scope()) {
            PtNDArray array = input.array(scope, batch, count);
            return GradientMode.on(() -> {
                Pass pass = training(dropoutSeed, array);
                // Before it computes: a failed batch must be reset, too.
                batches++;
                PtNDArray loss = compared.loss(forward.run(array, pass));
                JniUtils.backward(loss, (PtNDArray) scope.ones(loss.getShape()), false, false);
                return (float) (loss.getFloat() / compared.divisor());
            });
        }
    }

    private Pass training(long dropoutSeed, PtNDArray array) {
        return new Pass(tensors.trained(), true, tensors.isFrozen(), dropoutSeed, array);
    }

    @Override
    public void drainGradient(float[] target, float scale) {
        TensorLayout layout = trainable;
        if (target.length != layout.elementCount()) {
            throw new IllegalArgumentException("the gradient of %s has %d values, the target %d"
                    .formatted(spec.name(), layout.elementCount(), target.length));
        }
        if (batches == 0) {
            throw new IllegalStateException("no batch was accumulated since the last gradient was taken");
        }
        tensors.collect(target);
        int at = 0;
        for (TensorSpec tensor : layout.specs()) {
            int end = at + (int) tensor.elementCount();
            Float momentum = spec.state().momenta().get(tensor.name());
            multiply(target, at, end, momentum == null ? scale : observation(momentum, batches));
            at = end;
        }
        discardGradient();
    }

    /** A buffer that began at 0 has the weight 1 - (1 - momentum)^batches of statistics: this corrects the bias. */
    private static double observation(float momentum, int batches) {
        return 1 / (1 - Math.pow(1 - momentum, batches));
    }

    private static void multiply(float[] values, int from, int to, double factor) {
        if (factor != 1) {
            for (int i = from; i < to; i++) {
                values[i] = (float) (values[i] * factor);
            }
        }
    }

    @Override
    public void discardGradient() {
        tensors.reset();
        batches = 0;
    }

    @Override
    public float[] logits(float[] batch, int count) {
        input.require(batch, count);
        try (PtNDManager scope = scope()) {
            PtNDArray array = input.array(scope, batch, count);
            return GradientMode.off(() -> forward.run(array, new Pass(tensors.evaluated(), false, 0, array))
                    .toFloatArray());
        }
    }

    /** Computes logits in training mode, as {@link #accumulate} does, without a gradient; observes the state. */
    float[] trainingLogits(float[] batch, int count, long dropoutSeed) {
        input.require(batch, count);
        try (PtNDManager scope = scope()) {
            PtNDArray array = input.array(scope, batch, count);
            batches++;
            return GradientMode.off(
                    () -> forward.run(array, training(dropoutSeed, array)).toFloatArray());
        }
    }

    @Override
    public NetworkReader live() {
        PtNDManager own = (PtNDManager) engine.newBaseManager(device);
        return new LibtorchReader(definition, forward, own, isAsOnGpu, tensors, () -> {});
    }

    @Override
    public NetworkCopy copy() {
        PtNDManager own = (PtNDManager) engine.newBaseManager(device);
        Tensors copied = tensors(own);
        NetworkCopy reader =
                new LibtorchReader(definition, forward, own, isAsOnGpu, copied, () -> copied.copyFrom(tensors));
        reader.renew();
        return reader;
    }

    /** Returns the trained tensors. */
    Tensors tensors() {
        return tensors;
    }

    private PtNDManager scope() {
        return (PtNDManager) manager.newSubManager();
    }

    @Override
    public void close() {
        manager.close();
    }
}
