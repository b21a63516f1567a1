package org.fleetgrad.optim;

import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;

/**
 * Moves a parameter set along its gradients, and remembers what its rule needs to.
 *
 * <p>The formulas stand at {@link OptimizerSettings}. All arithmetic is float32 in PyTorch's order of operations, the
 * factors of a step are computed as doubles as PyTorch's are; the same calls give the same bits on any machine. Values
 * are to be finite: the arithmetic does not stop at others, and what it makes of them is not PyTorch's.
 *
 * <p>Not safe from several threads, but for {@link Step#apply}.
 */
public sealed interface Optimizer permits Sgd, Adam {

    /** Returns a new optimizer for {@code size} parameters. */
    static Optimizer create(OptimizerSettings settings, int size) {
        if (settings instanceof SgdSettings sgd) {
            return new Sgd(sgd, size);
        }
        if (settings instanceof AdamSettings adam) {
            return new Adam(adam, size);
        }
        return new Adam((AdamWSettings) settings, size);
    }

    /** Returns how many parameters it moves. */
    int size();

    /**
     * Begins the next step. The step counts from now on, so its whole range has to be applied before another begins.
     *
     * @throws IllegalArgumentException where {@code learningRate} is negative or not finite
     */
    Step beginStep(float learningRate);

    /**
     * Makes a step: {@code parameters} are changed in place, {@code gradient} is only read. That of many parameters is made
     * on all cores.
     *
     * @throws IllegalArgumentException where an array has another size, or the learning rate is negative or not finite
     */
    default void step(float[] parameters, float[] gradient, float learningRate) {
        Checks.sizes(size(), parameters, gradient);
        Step step = beginStep(learningRate);
        Cores.each(size(), (from, to) -> step.apply(parameters, gradient, from, to));
    }

    /** Returns what it remembers; the arrays are its own and change with the next step: see {@link OptimizerState#copy}. */
    OptimizerState state();

    /**
     * Takes over a copy of the state of an optimizer with the same settings and size, to go on with the same bits.
     *
     * @throws IllegalArgumentException where the buffers' names or sizes are others
     */
    void restore(OptimizerState state);

    /** One step, to be applied to every parameter exactly once. */
    @FunctionalInterface
    interface Step {

        /**
         * Changes the parameters from index {@code from} to before {@code to}.
         *
         * <p>Several threads may apply ranges that have nothing in common; the bits are those of the whole in one go.
         *
         * @throws IllegalArgumentException  where an array has another size than the optimizer
         * @throws IndexOutOfBoundsException where the range is not inside the arrays
         */
        void apply(float[] parameters, float[] gradient, int from, int to);
    }
}
