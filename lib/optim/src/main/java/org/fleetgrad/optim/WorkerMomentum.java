package org.fleetgrad.optim;

import java.util.Arrays;

/**
 * The worker's half of {@link StalenessRule.LookAheadSlim}: a momentum that stays with the worker, which pushes where it
 * leads.
 *
 * <pre>
 * v = momentum v + g
 * g = g + momentum v
 * </pre>
 *
 * <p>DANA-Slim: Hakimi, Barkai, Gabel and Schuster, "Taming momentum in a distributed asynchronous environment", 2019.
 * With one worker and the server's plain SGD it is Nesterov's momentum of {@code torch.optim.SGD}, bit for bit.
 *
 * <p>Not safe from several threads.
 */
public final class WorkerMomentum {

    private final float momentum;
    private final float[] buffer;

    /**
     * Makes a momentum of zeros.
     *
     * @param momentum share of the momentum that is kept, as {@link StalenessAwareOptimizer#workerMomentum} says
     * @param size     how many values a gradient has
     */
    public WorkerMomentum(float momentum, int size) {
        Checks.notNegative("momentum", momentum);
        Checks.notNegative("the number of parameters", size);
        this.momentum = momentum;
        this.buffer = new float[size];
    }

    /**
     * Takes a gradient into the momentum and makes it, in place, what is to be pushed. To be called once for each push,
     * not again where one is repeated.
     *
     * @throws IllegalArgumentException where the gradient has another size
     */
    public void apply(float[] gradient) {
        if (gradient.length != buffer.length) {
            throw new IllegalArgumentException(
                    "the momentum is for %d values, the gradient has %d".formatted(buffer.length, gradient.length));
        }
        StalenessLoops.applyMomentum(gradient, buffer, momentum);
    }

    /** Begins anew with zeros, as when the parameters are replaced. */
    public void reset() {
        Arrays.fill(buffer, 0);
    }
}
