package org.fleetgrad.optim;

import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;

/**
 * Updates a parameter set with gradients, and stores the state of its rule, such as momenta.
 *
 * <p>{@link OptimizerSettings} has the formulas. All arithmetic is float32 in PyTorch's order of operations; the
 * factors of a step are computed as doubles, as in PyTorch. The same calls give the same bits on any machine. Values
 * must be finite: the arithmetic does not stop at NaN or infinity, but then the results differ from PyTorch's.
 *
 * <p>Not thread-safe, except {@link Step#apply}.
 */
public sealed interface Optimizer permits Sgd, Adam {

    /** Returns a new optimizer for {@code size} parameters, all of which are decayed. */
    static Optimizer create(OptimizerSettings settings, int size) {
        return create(settings, DecayRanges.all(size));
    }

    /** Returns a new optimizer whose weight decay acts on these ranges only. */
    static Optimizer create(OptimizerSettings settings, DecayRanges ranges) {
        return create(settings, StepRanges.of(ranges));
    }

    /** Returns a new optimizer whose weight decay acts on these ranges only, and with these factors of the learning rate. */
    static Optimizer create(OptimizerSettings settings, StepRanges ranges) {
        if (settings instanceof SgdSettings sgd) {
            return new Sgd(sgd, ranges);
        }
        if (settings instanceof AdamSettings adam) {
            return new Adam(adam, ranges);
        }
        return new Adam((AdamWSettings) settings, ranges);
    }

    /** Returns the number of parameters. */
    int size();

    /**
     * Begins the next step. The step is counted immediately, so its whole range must be applied before the next one
     * begins.
     *
     * @throws IllegalArgumentException if {@code learningRate} is negative or not finite
     */
    Step beginStep(float learningRate);

    /**
     * Makes a step: {@code parameters} are changed in place, {@code gradient} is only read. Large arrays are processed
     * on all cores.
     *
     * @throws IllegalArgumentException if an array has the wrong size, or the learning rate is negative or not finite
     */
    default void step(float[] parameters, float[] gradient, float learningRate) {
        Checks.sizes(size(), parameters, gradient);
        Step step = beginStep(learningRate);
        Cores.each(size(), (from, to) -> step.apply(parameters, gradient, from, to));
    }

    /**
     * Returns the state. The optimizer retains the arrays and changes them in the next step: see
     * {@link OptimizerState#copy}.
     */
    OptimizerState state();

    /**
     * Copies the state of an optimizer with the same settings and size; later steps give the same bits as that
     * optimizer's.
     *
     * @throws IllegalArgumentException if the names or sizes of the buffers differ
     */
    void restore(OptimizerState state);

    /** One step, to be applied to every parameter exactly once. */
    @FunctionalInterface
    interface Step {

        /**
         * Changes the parameters from index {@code from} (inclusive) to {@code to} (exclusive).
         *
         * <p>Several threads may apply ranges that do not overlap; the bits are the same as with one range over
         * everything.
         *
         * @throws IllegalArgumentException  if an array has another size than the optimizer
         * @throws IndexOutOfBoundsException if the range is not inside the arrays
         */
        void apply(float[] parameters, float[] gradient, int from, int to);
    }
}
