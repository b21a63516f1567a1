package org.fleetgrad.worker.training;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.optim.DecayRanges;
import org.fleetgrad.optim.LocalSteps;
import org.fleetgrad.optim.Optimizer;
import org.fleetgrad.optim.OptimizerSpec;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.ObservedState;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.worker.training.GradientAccumulator.Mean;

/**
 * Local steps: the inner optimizer steps with each mean gradient at once, and what is pushed is how far the steps went.
 *
 * <p>State tensors, such as BatchNorm's running statistics, are merged into the local parameters after each step. The push has
 * their mean over all batches of the steps, with the weights that the server's formula expects ({@link ParameterState}).
 */
final class LocalTraining implements GradientSource {

    private final Network network;
    private final GradientAccumulator gradients;
    private final LocalSteps settings;
    private final Optimizer inner;
    private final TensorLayout layout;
    private final ObservedState state;
    /** The statistics of the batches since the last push, merged into zeros. Empty if there is no state. */
    private final float[] observed;

    private final float[] start;
    private final float[] local;
    private Map<String, String> metadata = Map.of();
    private int steps;
    private long samples;
    private int batches;
    private double lossSum;
    private double weightSum;
    private boolean isWeighted;

    /**
     * @param gradients computes the gradient of each step
     * @param inner     its state stays from push to push
     */
    LocalTraining(Network network, GradientAccumulator gradients, LocalSteps settings, Optimizer inner) {
        this.network = network;
        this.gradients = gradients;
        this.settings = settings;
        this.inner = inner;
        this.layout = network.trainable();
        ParameterState trained = network.spec().state().within(layout);
        this.state = ObservedState.of(layout, trained);
        this.start = new float[(int) layout.elementCount()];
        this.local = new float[start.length];
        this.observed = new float[trained.isEmpty() ? 0 : start.length];
    }

    /** Makes the inner optimizer of trainable tensors; weight decay leaves out state, and what the settings say. */
    static Optimizer optimizer(OptimizerSpec spec, ParameterState state, TensorLayout trainable) {
        BitSet undecayed = new BitSet();
        for (int i = 0; i < trainable.size(); i++) {
            TensorSpec tensor = trainable.specs().get(i);
            if (state.has(tensor.name())
                    || (spec.isMatricesOnly() && tensor.shape().size() < 2)) {
                int begin = Math.toIntExact(trainable.byteOffset(i) / DType.F32.bytes());
                undecayed.set(begin, begin + Math.toIntExact(tensor.elementCount()));
            }
        }
        return Optimizer.create(
                spec.settings(), DecayRanges.without(Math.toIntExact(trainable.elementCount()), undecayed));
    }

    @Override
    public void begin(TensorSet parameters) {
        // The first set after a pull has the frozen tensors, too.
        FloatBuffer into = FloatBuffer.wrap(start);
        for (TensorSpec tensor : layout.specs()) {
            into.put(parameters.bytes(tensor.name()).orElseThrow().asFloatBuffer());
        }
        System.arraycopy(start, 0, local, 0, start.length);
        metadata = new TreeMap<>(parameters.metadata());
        clear();
    }

    private void clear() {
        Arrays.fill(observed, 0);
        steps = 0;
        samples = 0;
        batches = 0;
        lossSum = 0;
        weightSum = 0;
    }

    @Override
    public boolean takes(int size) {
        // A batch of another size ends the mean gradient before it, and so makes a step.
        int made = gradients.takes(size) ? steps : steps + 1;
        return made < settings.steps();
    }

    @Override
    public void add(Shard shard, int[] batch, long epoch, long dropoutSeed) throws TrainingFailedException {
        if (!gradients.takes(batch.length)) {
            step();
        }
        gradients.add(shard, batch, epoch, dropoutSeed);
        if (gradients.isFull()) {
            step();
        }
    }

    private void step() {
        Mean gradient = gradients.drain();
        float[] statistics = state.take(gradient.values());
        inner.step(local, gradient.values(), (float) settings.learningRate());
        if (observed.length > 0) {
            state.mergeInto(local, statistics, gradient.batches());
            state.mergeInto(observed, statistics, gradient.batches());
        }
        network.load(TensorSet.ofFloats(layout, local, metadata));
        steps++;
        samples += gradient.samples();
        batches += gradient.batches();
        isWeighted = gradient.weight().isPresent();
        double weight = gradient.weight().orElse((double) gradient.samples());
        lossSum += gradient.loss() * weight;
        weightSum += weight;
    }

    @Override
    public boolean isEmpty() {
        return steps == 0 && gradients.isEmpty();
    }

    @Override
    public boolean isFull() {
        return steps == settings.steps();
    }

    @Override
    public Mean drain() {
        if (!gradients.isEmpty()) {
            step();
        }
        float[] distance = start;
        for (int i = 0; i < distance.length; i++) {
            distance[i] -= local[i];
        }
        if (observed.length > 0) {
            state.putBack(state.meanOf(observed, batches), distance);
        }
        Mean pushed = new Mean(
                distance,
                samples,
                batches,
                weightSum == 0 ? 0 : lossSum / weightSum,
                isWeighted ? OptionalDouble.of(weightSum) : OptionalDouble.empty(),
                OptionalLong.of(steps));
        clear();
        return pushed;
    }
}
