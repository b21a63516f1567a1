package org.fleetgrad.simulation.world;

import java.time.Duration;
import java.util.Arrays;
import org.fleetgrad.libtorch.LossWeights;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.simulation.kernel.Fiber;
import org.fleetgrad.simulation.worker.UnaskedNetwork;

/**
 * A network whose gradient says which samples it was computed for: the sample's number is its input, and the gradient of a batch of n
 * samples is -1/n at the place of each. So the parameters show how often each sample counts. So does its
 * state: each batch observes the same.
 */
final class SampleNetwork extends UnaskedNetwork {

    /** What each batch observes, for every value of the state. */
    static final float OBSERVED = 0.5f;

    private final Duration batch;
    private final SamplePlaces places;
    private final float[] sum;

    /**
     * @param spec  its tensors
     * @param batch how long a batch takes
     */
    SampleNetwork(NetworkSpec spec, Duration batch) {
        super(spec);
        this.batch = batch;
        this.places = SamplePlaces.of(spec);
        this.sum = new float[(int) spec.layout().elementCount()];
    }

    @Override
    public float accumulate(
            float[] samples, float[] targets, int count, long dropoutSeed, float labelSmoothing, LossWeights weights) {
        Fiber.sleep(batch);
        for (int i = 0; i < count; i++) {
            sum[places.trained().get((int) samples[i])] -= 1f / count;
        }
        return 1;
    }

    @Override
    public void drainGradient(float[] target, float scale) {
        for (int i = 0; i < target.length; i++) {
            target[i] = sum[i] * scale;
            sum[i] = 0;
        }
        places.observed().forEach(i -> target[i] = OBSERVED);
    }

    @Override
    public void discardGradient() {
        Arrays.fill(sum, 0);
    }
}
