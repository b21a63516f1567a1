package org.fleetgrad.optim;

/**
 * The learning rate as a function of the number of steps already made: the first step has number 0.
 *
 * <p>Stateless: to continue from a checkpoint, only the number of steps is needed. Computed as doubles in closed form;
 * PyTorch's schedulers multiply from step to step and differ by rounding only. Thread-safe.
 */
public sealed interface LearningRateSchedule {

    /**
     * Returns the learning rate of a step.
     *
     * @param step number of steps already made
     * @throws IllegalArgumentException if {@code step} is negative
     */
    float at(long step);

    /**
     * The same learning rate for all steps.
     *
     * @param base the learning rate, 0 or more
     */
    record Constant(float base) implements LearningRateSchedule {

        public Constant {
            Checks.notNegative("the base learning rate", base);
        }

        @Override
        public float at(long step) {
            Checks.notNegative("the step", step);
            return base;
        }
    }

    /**
     * Multiplied by {@code gamma} every {@code stepSize} steps, {@code torch.optim.lr_scheduler.StepLR}.
     *
     * <pre>
     * base gamma^floor(step / stepSize)
     * </pre>
     *
     * @param base     the first learning rate, 0 or more
     * @param stepSize steps between two decays, 1 or more
     * @param gamma    factor of each decay, more than 0
     */
    record StepDecay(float base, long stepSize, float gamma) implements LearningRateSchedule {

        public StepDecay {
            Checks.notNegative("the base learning rate", base);
            Checks.atLeastOne("the step size", stepSize);
            Checks.positive("gamma", gamma);
        }

        @Override
        public float at(long step) {
            Checks.notNegative("the step", step);
            long decays = step / stepSize;
            return (float) (Decimals.written(base) * StrictMath.pow(Decimals.written(gamma), (double) decays));
        }
    }

    /**
     * Falls along half a cosine, {@code torch.optim.lr_scheduler.CosineAnnealingLR}; from {@code totalSteps} on it
     * stays at {@code minimum}, while PyTorch's rises again.
     *
     * <pre>
     * minimum + (base - minimum) (1 + cos(pi step / totalSteps)) / 2
     * </pre>
     *
     * <p>Loshchilov and Hutter, "SGDR: Stochastic gradient descent with warm restarts", ICLR 2017, without the
     * restarts.
     *
     * @param base       the first learning rate, {@code minimum} or more
     * @param totalSteps steps until the minimum, 1 or more
     * @param minimum    the last learning rate, 0 or more
     */
    record Cosine(float base, long totalSteps, float minimum) implements LearningRateSchedule {

        public Cosine {
            Checks.notNegative("the base learning rate", base);
            Checks.atLeastOne("the number of steps", totalSteps);
            Checks.notNegative("the minimum learning rate", minimum);
            if (minimum > base) {
                throw new IllegalArgumentException(
                        "the minimum learning rate must not be more than the base; they are %s and %s"
                                .formatted(minimum, base));
            }
        }

        @Override
        public float at(long step) {
            Checks.notNegative("the step", step);
            if (step >= totalSteps) {
                return minimum;
            }
            double low = Decimals.written(minimum);
            double share = (1 + StrictMath.cos(Math.PI * step / totalSteps)) / 2;
            return (float) (low + (Decimals.written(base) - low) * share);
        }
    }

    /**
     * Rises in equal parts to the first learning rate of another schedule, then follows that schedule from its step 0
     * on: {@code torch.optim.lr_scheduler.LinearLR} with {@code start_factor=1/steps} and {@code total_iters=steps-1},
     * followed by the other schedule in a {@code SequentialLR}.
     *
     * <pre>
     * then.at(0) (step + 1) / steps      while step &lt; steps
     * then.at(step - steps)              from there on
     * </pre>
     *
     * <p>Goyal et al., "Accurate, large minibatch SGD: Training ImageNet in 1 hour", 2017.
     *
     * @param steps steps of the rise, 1 or more
     * @param then  the schedule that follows
     */
    record LinearWarmup(long steps, LearningRateSchedule then) implements LearningRateSchedule {

        public LinearWarmup {
            Checks.atLeastOne("the number of warm-up steps", steps);
        }

        @Override
        public float at(long step) {
            Checks.notNegative("the step", step);
            if (step >= steps) {
                return then.at(step - steps);
            }
            return (float) (Decimals.written(then.at(0)) * (step + 1) / steps);
        }
    }
}
