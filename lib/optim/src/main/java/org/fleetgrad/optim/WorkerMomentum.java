package org.fleetgrad.optim;

import java.util.Arrays;

/**
 * The worker's half of {@link StalenessRule.LookAheadSlim}: the worker keeps its momentum, and pushes gradients that
 * look ahead along it.
 *
 * <pre>
 * v = momentum v + g
 * g = g + momentum v
 * </pre>
 *
 * <p>DANA-Slim: Hakimi, Barkai, Gabel and Schuster, "Taming momentum in a distributed asynchronous environment", 2019.
 * With one worker and the server's plain SGD it is Nesterov's momentum of {@code torch.optim.SGD}, bit for bit.
 *
 * <p>Not thread-safe.
 */
public final class WorkerMomentum {

    private final float momentum;
    private final float[] buffer;

    /**
     * Makes a momentum of zeros.
     *
     * @param momentum share of the momentum that is retained, from {@link StalenessRule#workerMomentum}
     * @param size     number of values of a gradient
     */
    public WorkerMomentum(float momentum, int size) {
        Checks.notNegative("momentum", momentum);
        Checks.notNegative("the number of parameters", size);
        this.momentum = momentum;
        this.buffer = new float[size];
    }

    /**
     * Adds a gradient to the momentum, and replaces the gradient, in place, by the one to push. Call once for each
     * push, not again for a retry.
     *
     * @throws IllegalArgumentException if the gradient has the wrong size
     */
    public void apply(float[] gradient) {
        if (gradient.length != buffer.length) {
            throw new IllegalArgumentException(
                    "the momentum has %d values, the gradient %d".formatted(buffer.length, gradient.length));
        }
        StalenessLoops.applyMomentum(gradient, buffer, momentum);
    }

    /** Starts again with zeros, for instance after the parameters were replaced. */
    public void reset() {
        Arrays.fill(buffer, 0);
    }
}
