package org.fleetgrad.simulation.world;

import java.time.Duration;
import java.util.Arrays;
import org.fleetgrad.libtorch.LossWeights;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.simulation.kernel.Fiber;

/**
 * A network whose gradient says which samples it was computed for: the sample's number is its input, and the gradient of a batch of n
 * samples is -1/n at the place of each. So the parameters show how often each sample counts.
 */
final class SampleNetwork implements Network {

    private final NetworkSpec spec;
    private final Duration batch;
    private final float[] sum;

    /**
     * @param spec  its tensors
     * @param batch how long a batch takes
     */
    SampleNetwork(NetworkSpec spec, Duration batch) {
        this.spec = spec;
        this.batch = batch;
        this.sum = new float[(int) spec.layout().elementCount()];
    }

    @Override
    public NetworkSpec spec() {
        return spec;
    }

    @Override
    public void freeze(FrozenTensors frozen) {
        if (!frozen.isEmpty()) {
            throw new UnsupportedOperationException("frozen tensors");
        }
    }

    @Override
    public TensorLayout trainable() {
        return spec.layout();
    }

    @Override
    public void load(TensorSet parameters) {}

    @Override
    public float accumulate(
            float[] samples, float[] targets, int count, long dropoutSeed, float labelSmoothing, LossWeights weights) {
        Fiber.sleep(batch);
        for (int i = 0; i < count; i++) {
            sum[(int) samples[i]] -= 1f / count;
        }
        return 1;
    }

    @Override
    public void drainGradient(float[] target, float scale) {
        for (int i = 0; i < target.length; i++) {
            target[i] = sum[i] * scale;
            sum[i] = 0;
        }
    }

    @Override
    public void discardGradient() {
        Arrays.fill(sum, 0);
    }

    @Override
    public float[] logits(float[] samples, int count) {
        throw new UnsupportedOperationException("predictions");
    }

    @Override
    public NetworkReader live() {
        throw new UnsupportedOperationException("predictions");
    }

    @Override
    public NetworkCopy copy() {
        throw new UnsupportedOperationException("predictions");
    }

    @Override
    public void close() {}
}
