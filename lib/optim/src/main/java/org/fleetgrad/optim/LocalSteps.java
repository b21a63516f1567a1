package org.fleetgrad.optim;

/**
 * The steps that a worker makes by itself between two pushes, with an inner optimizer. What it pushes is how far they went:
 *
 * <pre>d = p0 - pK</pre>
 *
 * <p>The server's optimizer, the outer one, steps with {@code d} as with a gradient (A. Douillard et al., "DiLoCo: Distributed
 * low-communication training of language models", 2023). With an outer learning rate of 1 and no momentum the mean of the
 * workers' parameters is the next version, which is local SGD (S. Stich, "Local SGD converges fast and communicates little", ICLR
 * 2019).
 *
 * @param steps        made between two pushes, 1 or more; a shard's end or the worker's end may cut them short
 * @param inner        the inner optimizer, whose state stays with the worker
 * @param learningRate of the inner optimizer
 */
public record LocalSteps(int steps, OptimizerSpec inner, double learningRate) {

    /** The largest number of steps between two pushes. */
    public static final int MOST = 1_000_000;

    /** Checks the numbers. */
    public LocalSteps {
        if (steps < 1 || steps > MOST) {
            throw new IllegalArgumentException(
                    "the local steps must be from 1 to %d; they are %d".formatted(MOST, steps));
        }
        if (!(learningRate > 0 && Float.isFinite((float) learningRate))) {
            throw new IllegalArgumentException(
                    "the inner learning rate must be a finite number above 0; it is " + learningRate);
        }
    }

    /** Returns steps with the usual learning rate of the inner optimizer. */
    public static LocalSteps of(int steps, OptimizerSpec inner) {
        return new LocalSteps(steps, inner, inner.usualLearningRate());
    }
}
