package org.fleetgrad.worker.training;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.fleetgrad.datasets.augment.EpochDraws;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.libtorch.LossWeights;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.protocol.tensor.ObservedState;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * Adds up the gradients of batches at fixed parameters: the mean of H batches' gradients at one point is the gradient of one
 * batch H times as large. That holds only if all batches have the same size. With loss weights the network adds up weighted
 * sums, which are divided by the sum of all weights. For one thread.
 */
final class GradientAccumulator implements GradientSource {

    /**
     * A mean gradient.
     *
     * @param values  are in one of the accumulator's two buffers; the mean after the next overwrites them
     * @param samples samples of its batches
     * @param batches its batches
     * @param loss    mean over the batches, weighted as the gradient is
     * @param weight  sum of the samples' loss weights; absent if they count alike
     * @param steps   local steps that were made, if the values are how far they went; absent if they are a gradient
     */
    record Mean(float[] values, long samples, int batches, double loss, OptionalDouble weight, OptionalLong steps) {}

    private final Network network;
    private final Learning learning;
    private final Clipping norm;
    private float[] next;
    private float[] other;
    private float[] inputs = {};
    private float[] targets = {};
    private boolean isWeighted;
    private int batches;
    private int sizeOfBatches;
    private double lossOfBatches;
    private double weightOfBatches;
    private long steps;
    private long samples;
    private double weightSum;
    private double lossSum;

    /**
     * @param network       with the tensors frozen that it does not train
     * @param isOverlapping whether a mean is still needed while the next one is drained
     */
    GradientAccumulator(Network network, Learning learning, boolean isOverlapping) {
        this.network = network;
        this.learning = learning;
        this.norm = new Clipping(network.trainable(), network.spec().state(), learning.clipNorm());
        int count = (int) network.trainable().elementCount();
        this.next = new float[count];
        this.other = isOverlapping ? new float[count] : next;
    }

    @Override
    public void begin(TensorSet parameters) {
        // The network has them, and a gradient needs no more.
    }

    @Override
    public void add(Shard shard, int[] batch, long epoch, long dropoutSeed) throws TrainingFailedException {
        int needed = Math.multiplyExact(learning.batchSize(), shard.inputSize());
        if (inputs.length < needed) {
            inputs = new float[needed];
            targets = new float[Math.multiplyExact(learning.batchSize(), shard.targetCount())];
        }
        shard.read(batch, new EpochDraws(learning.augmentation(), learning.seed(), epoch), inputs, targets);
        LossWeights weights = new LossWeights(learning.classWeights(), shard.lossWeights(batch));
        float loss = network.accumulate(
                inputs, targets, batch.length, dropoutSeed, (float) learning.labelSmoothing(), weights);
        if (!Float.isFinite(loss)) {
            throw new TrainingFailedException(
                    "the loss of batch %d is %s: training has diverged; try a smaller learning rate"
                            .formatted(steps + 1, loss));
        }
        steps++;
        samples += batch.length;
        isWeighted = !weights.areEqual();
        double weight = isWeighted ? weights.sum(targets, batch.length) : batch.length;
        weightSum += weight;
        lossSum += loss * weight;
        lossOfBatches += isWeighted ? loss * weight : loss;
        weightOfBatches += weight;
        sizeOfBatches = batch.length;
        batches++;
    }

    @Override
    public boolean takes(int size) {
        return batches == 0 || size == sizeOfBatches;
    }

    @Override
    public boolean isEmpty() {
        return batches == 0;
    }

    @Override
    public boolean isFull() {
        return batches >= learning.updateInterval();
    }

    @Override
    public Mean drain() {
        float[] values = next;
        next = other;
        other = values;
        double divisor = isWeighted ? weightOfBatches : batches;
        // Where no sample counts, gradient and loss are 0.
        double counted = divisor == 0 ? 1 : divisor;
        network.drainGradient(values, (float) (1 / counted));
        norm.clip(values);
        Mean mean = new Mean(
                values,
                (long) batches * sizeOfBatches,
                batches,
                lossOfBatches / counted,
                isWeighted ? OptionalDouble.of(weightOfBatches) : OptionalDouble.empty(),
                OptionalLong.empty());
        batches = 0;
        weightOfBatches = 0;
        lossOfBatches = 0;
        return mean;
    }

    /** Returns how many batches were computed. */
    long steps() {
        return steps;
    }

    /** Returns how many samples were computed. */
    long samples() {
        return samples;
    }

    /** Returns the mean loss over the samples, weighted if their losses are; 0 before the first. */
    double averageLoss() {
        return weightSum == 0 ? 0 : lossSum / weightSum;
    }

    /**
     * Scales a gradient down if its norm is too large: {@code torch.nn.utils.clip_grad_norm_} with the L2 norm over all
     * trainable parameters (R. Pascanu et al., "On the difficulty of training recurrent neural networks", 2013).
     *
     * <pre>g = g min(1, largest / (|g| + 1e-6))</pre>
     *
     * <p>The observed statistics of state tensors are not part of the norm, and are not scaled. Not thread-safe.
     */
    static final class Clipping {

        /** As in PyTorch. */
        private static final double EPSILON = 1e-6;

        private final ObservedState state;
        private final double largest;

        /**
         * @param gradient its layout
         * @param state    those of its tensors that are observed
         * @param largest  norm; 0 for any
         */
        Clipping(TensorLayout gradient, ParameterState state, double largest) {
            this.state = ObservedState.of(gradient, state);
            this.largest = largest;
        }

        /** Clips a gradient in place. A gradient that is not finite is left unchanged: its receiver refuses it. */
        void clip(float[] gradient) {
            if (largest == 0) {
                return;
            }
            float[] observed = state.take(gradient);
            double squares = 0;
            for (float value : gradient) {
                squares += (double) value * value;
            }
            double factor = largest / (Math.sqrt(squares) + EPSILON);
            if (factor < 1 && factor > 0) {
                float by = (float) factor;
                for (int i = 0; i < gradient.length; i++) {
                    gradient[i] *= by;
                }
            }
            state.putBack(observed, gradient);
        }
    }
}
