package org.fleetgrad.optim;

import java.util.List;

/**
 * The learning rate as a function of the number of training samples in the steps already made, 0 for the first step.
 * Measured in samples, a schedule is the same in synchronous and asynchronous training, with any number of workers.
 *
 * <p>Stateless: to continue from a checkpoint, only the number of samples is needed. Computed as doubles in closed
 * form; PyTorch's schedulers, called before each step of one batch, multiply from step to step and differ by rounding
 * only. Thread-safe.
 */
public sealed interface LearningRateSchedule {

    /**
     * Returns the learning rate of a step.
     *
     * @param samples number of samples in the steps already made
     * @throws IllegalArgumentException if {@code samples} is negative
     */
    float at(long samples);

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
        public float at(long samples) {
            Checks.notNegative("the number of samples", samples);
            return base;
        }
    }

    /**
     * Multiplied by {@code gamma} every {@code stepSamples} samples, {@code torch.optim.lr_scheduler.StepLR}.
     *
     * <pre>
     * base gamma^floor(samples / stepSamples)
     * </pre>
     *
     * @param base        the first learning rate, 0 or more
     * @param stepSamples samples between two decays, 1 or more
     * @param gamma       factor of each decay, more than 0
     */
    record StepDecay(float base, long stepSamples, float gamma) implements LearningRateSchedule {

        public StepDecay {
            Checks.notNegative("the base learning rate", base);
            Checks.atLeastOne("the number of samples between two decays", stepSamples);
            Checks.positive("gamma", gamma);
        }

        @Override
        public float at(long samples) {
            Checks.notNegative("the number of samples", samples);
            return decayed(base, gamma, samples / stepSamples);
        }
    }

    /**
     * Multiplied by {@code gamma} at each milestone, {@code torch.optim.lr_scheduler.MultiStepLR}.
     *
     * <pre>
     * base gamma^(number of milestones &lt;= samples)
     * </pre>
     *
     * @param base       the first learning rate, 0 or more
     * @param milestones in samples: each 1 or more, each later than the one before
     * @param gamma      factor of each decay, more than 0
     */
    record Milestones(float base, List<Long> milestones, float gamma) implements LearningRateSchedule {

        public Milestones {
            Checks.notNegative("the base learning rate", base);
            Checks.positive("gamma", gamma);
            milestones = List.copyOf(milestones);
            if (milestones.isEmpty()) {
                throw new IllegalArgumentException("a schedule of milestones needs one or more; there are 0");
            }
            long before = 0;
            for (long milestone : milestones) {
                if (milestone <= before) {
                    throw new IllegalArgumentException(
                            "each milestone must be later than the one before, and above 0; they are " + milestones);
                }
                before = milestone;
            }
        }

        @Override
        public float at(long samples) {
            Checks.notNegative("the number of samples", samples);
            return decayed(
                    base,
                    gamma,
                    milestones.stream().filter(passed -> passed <= samples).count());
        }
    }

    /**
     * Falls along half a cosine, {@code torch.optim.lr_scheduler.CosineAnnealingLR}; from {@code totalSamples} on it
     * stays at {@code minimum}, while PyTorch's rises again.
     *
     * <pre>
     * minimum + (base - minimum) (1 + cos(pi samples / totalSamples)) / 2
     * </pre>
     *
     * <p>Loshchilov and Hutter, "SGDR: Stochastic gradient descent with warm restarts", ICLR 2017, without the
     * restarts.
     *
     * @param base         the first learning rate, {@code minimum} or more
     * @param totalSamples samples until the minimum, 1 or more
     * @param minimum      the last learning rate, 0 or more
     */
    record Cosine(float base, long totalSamples, float minimum) implements LearningRateSchedule {

        public Cosine {
            Checks.notNegative("the base learning rate", base);
            Checks.atLeastOne("the number of samples until the minimum", totalSamples);
            Checks.notNegative("the minimum learning rate", minimum);
            if (minimum > base) {
                throw new IllegalArgumentException(
                        "the minimum learning rate must not be more than the base; they are %s and %s"
                                .formatted(minimum, base));
            }
        }

        @Override
        public float at(long samples) {
            Checks.notNegative("the number of samples", samples);
            if (samples >= totalSamples) {
                return minimum;
            }
            double low = Decimals.written(minimum);
            double share = (1 + StrictMath.cos(Math.PI * samples / totalSamples)) / 2;
            return (float) (low + (Decimals.written(base) - low) * share);
        }
    }

    /**
     * Another schedule times a factor that rises linearly from a hundredth to 1: {@code
     * torch.optim.lr_scheduler.LinearLR} with {@code start_factor=0.01} and the other schedule in a {@code
     * ChainedScheduler}. The other schedule counts from the same beginning, so its milestones stay where they are.
     *
     * <pre>
     * then.at(samples) (0.01 + 0.99 samples / warmup)     while samples &lt; warmup
     * then.at(samples)                                    from there on
     * </pre>
     *
     * <p>Goyal et al., "Accurate, large minibatch SGD: Training ImageNet in 1 hour", 2017.
     *
     * @param warmup samples of the rise, 1 or more
     * @param then   the schedule that rises
     */
    record LinearWarmup(long warmup, LearningRateSchedule then) implements LearningRateSchedule {

        private static final double START = 0.01;

        public LinearWarmup {
            Checks.atLeastOne("the number of warm-up samples", warmup);
        }

        @Override
        public float at(long samples) {
            Checks.notNegative("the number of samples", samples);
            float full = then.at(samples);
            if (samples >= warmup) {
                return full;
            }
            double share = START + (1 - START) * samples / warmup;
            return (float) (Decimals.written(full) * share);
        }
    }

    private static float decayed(float base, float gamma, long decays) {
        return (float) (Decimals.written(base) * StrictMath.pow(Decimals.written(gamma), (double) decays));
    }
}
