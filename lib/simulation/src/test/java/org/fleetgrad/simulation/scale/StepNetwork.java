package org.fleetgrad.simulation.scale;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import org.fleetgrad.libtorch.LossWeights;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.simulation.kernel.Fiber;
import org.fleetgrad.simulation.worker.UnaskedNetwork;

/** A network whose steps take their time, and whose gradients do not matter. */
final class StepNetwork extends UnaskedNetwork {

    private static final float SMALL = 1e-6f;

    private final Supplier<Duration> step;
    private final Runnable done;

    /**
     * @param step how long a batch takes, with everything that the worker does for its push
     * @param done runs after each batch
     */
    StepNetwork(NetworkSpec spec, Supplier<Duration> step, Runnable done) {
        super(spec);
        this.step = step;
        this.done = done;
    }

    @Override
    public float accumulate(
            float[] samples, float[] targets, int count, long dropoutSeed, float labelSmoothing, LossWeights weights) {
        Fiber.sleep(step.get());
        done.run();
        return 1;
    }

    @Override
    public void drainGradient(float[] target, float scale) {
        Arrays.fill(target, SMALL);
    }

    @Override
    public void discardGradient() {}
}
