package org.fleetgrad.simulation.world;

import java.time.Duration;
import java.util.Arrays;
import org.fleetgrad.libtorch.LossWeights;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.simulation.kernel.Fiber;
import org.fleetgrad.simulation.worker.UnaskedNetwork;

/**
 * A network whose gradient says which samples it was computed for: the sample's number is its input, and the gradient of a batch of n
 * samples is -1/n at the place of each. So the parameters show how often each sample counts. The places are spread, so that each server
 * has some.
 */
final class SampleNetwork extends UnaskedNetwork {

    /** Has no factor in common with the number of values, so that each sample has a place of its own. */
    private static final int SPREAD = 17;

    private final Duration batch;
    private final float[] sum;

    /**
     * @param spec  its tensors
     * @param batch how long a batch takes
     */
    SampleNetwork(NetworkSpec spec, Duration batch) {
        super(spec);
        this.batch = batch;
        this.sum = new float[(int) spec.layout().elementCount()];
    }

    /** Returns the value that shows how often a sample counts. */
    static int place(int sample, int values) {
        if (sample >= values) {
            throw new IllegalArgumentException("sample %d has no place among %d values".formatted(sample, values));
        }
        return sample * SPREAD % values;
    }

    @Override
    public float accumulate(
            float[] samples, float[] targets, int count, long dropoutSeed, float labelSmoothing, LossWeights weights) {
        Fiber.sleep(batch);
        for (int i = 0; i < count; i++) {
            sum[place((int) samples[i], sum.length)] -= 1f / count;
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
}
