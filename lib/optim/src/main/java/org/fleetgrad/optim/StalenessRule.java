package org.fleetgrad.optim;

import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;

/**
 * How a gradient that was computed on an older version is treated: the remedies for asynchronous training, with their
 * hyperparameters.
 *
 * <p>In the formulas {@code p} are the parameters a gradient {@code g} will be applied to, {@code base} those it was
 * computed on, {@code tau} its staleness, {@code lr} the learning rate of the coming step. All formulas are
 * elementwise. {@link StalenessAwareOptimizer} does the arithmetic.
 */
public sealed interface StalenessRule {

    /** Prints the rule as {@link #parse} reads it, such as {@code gap-aware:decay=0.9}. */
    @Override
    String toString();

    /**
     * Reads a rule.
     *
     * @throws IllegalArgumentException if the text is not a rule; the message says what to write
     */
    static StalenessRule parse(String text) {
        SpecText given = SpecText.parse(forms(), text);
        StalenessRule rule = switch (given.name()) {
            case "none" -> new None();
            case "damped" -> new Damped();
            case "delay-compensated" -> new DelayCompensated(given.number("lambda", DelayCompensated.CUSTOMARY));
            case "adaptive-delay-compensated" ->
                new AdaptiveDelayCompensated(
                        given.number("lambda", AdaptiveDelayCompensated.CUSTOMARY),
                        given.number("decay", AdaptiveDelayCompensated.CUSTOMARY_DECAY));
            case "gap-aware" -> new GapAware(given.number("decay", GapAware.CUSTOMARY));
            case "look-ahead" -> new LookAhead();
            case "look-ahead-slim" -> new LookAheadSlim();
            default -> throw given.unknown();
        };
        given.requireNoMore();
        return rule;
    }

    /** Returns the table of the rules that {@link #parse} reads, as docs/configuration.md shows it. */
    static String documentation() {
        return forms().table();
    }

    /** Returns whether the server keeps an array for each worker. */
    default boolean needsArrayOfWorker() {
        return false;
    }

    /** Returns whether the rule needs the values that a gradient was computed on. */
    default boolean needsBase() {
        return false;
    }

    /**
     * Checks that the rule works with an optimizer.
     *
     * @throws IllegalArgumentException if it does not; the message gives the reason and what to write instead
     */
    default void requireFits(OptimizerSettings optimizer) {}

    /**
     * Returns the momentum that each worker must apply in a {@link WorkerMomentum}; 0 if workers push plain gradients.
     */
    default float workerMomentum(OptimizerSettings optimizer) {
        return 0;
    }

    /** Plain asynchronous training: a stale gradient counts like a fresh one. */
    record None() implements StalenessRule {

        @Override
        public String toString() {
            return "none";
        }
    }

    /**
     * The staler a gradient, the smaller its step.
     *
     * <pre>
     * g = g / max(1, tau)
     * </pre>
     *
     * <p>Zhang, Gupta, Lian and Liu, "Staleness-aware async-SGD for distributed deep learning", IJCAI 2016. The paper
     * divides the learning rate of each gradient; for SGD that is the same. Adam would divide the factor out again.
     */
    record Damped() implements StalenessRule {

        @Override
        public String toString() {
            return "damped";
        }

        @Override
        public void requireFits(OptimizerSettings optimizer) {
            if (!(optimizer instanceof SgdSettings)) {
                throw new IllegalArgumentException(
                        "%s scales gradients, but %s divides the scale out again: write SGD, or the rule gap-aware"
                                .formatted(this, optimizer));
            }
        }
    }

    /**
     * Estimates the gradient at {@code p} from the one at {@code base}, with {@code g g} for the curvature.
     *
     * <pre>
     * g = g + lambda g g (p - base)
     * </pre>
     *
     * <p>DC-ASGD-c: Zheng et al., "Asynchronous stochastic gradient descent with delay compensation", ICML 2017.
     *
     * @param lambda weight of the correction; 0.04 is customary
     */
    record DelayCompensated(float lambda) implements StalenessRule {

        static final float CUSTOMARY = 0.04f;

        public DelayCompensated {
            Checks.notNegative("lambda", lambda);
        }

        @Override
        public String toString() {
            return new SpecWriter("delay-compensated")
                    .unless(CUSTOMARY, "lambda", lambda)
                    .toString();
        }

        @Override
        public boolean needsBase() {
            return true;
        }
    }

    /**
     * {@link DelayCompensated} with a separate lambda for each value, which falls with the size of its gradients;
     * {@code m} is stored for each worker.
     *
     * <pre>
     * m = decay m + (1 - decay) g^2
     * g = g + lambda / sqrt(m + 1e-7) g g (p - base)
     * </pre>
     *
     * <p>DC-ASGD-a, from the same paper.
     *
     * @param lambda weight of the correction; 2 is customary
     * @param decay  decay of the squared gradients' running average, in [0, 1); 0.95 is customary
     */
    record AdaptiveDelayCompensated(float lambda, float decay) implements StalenessRule {

        static final float CUSTOMARY = 2;
        static final float CUSTOMARY_DECAY = 0.95f;

        public AdaptiveDelayCompensated {
            Checks.notNegative("lambda", lambda);
            Checks.belowOne("decay", decay);
        }

        @Override
        public boolean needsArrayOfWorker() {
            return true;
        }

        @Override
        public String toString() {
            return new SpecWriter("adaptive-delay-compensated")
                    .unless(CUSTOMARY, "lambda", lambda)
                    .unless(CUSTOMARY_DECAY, "decay", decay)
                    .toString();
        }

        @Override
        public boolean needsBase() {
            return true;
        }
    }

    /**
     * Shrinks a value of a gradient, and its weight decay, by how far the parameter has moved since the gradient was
     * computed, measured in steps of the usual size {@code c}. {@code k} counts the gradients; only those with
     * {@code tau > 0} are shrunk.
     *
     * <pre>
     * with SGD:            a = decay a + (1 - decay) b^2      b: the momentum buffer, or g without momentum
     *                      c = max(lr so far) (sqrt(a / (1 - decay^k)) + 1e-8)
     * with Adam, AdamW:    e = beta2 e + (1 - beta2) step^2   after each step, without the decoupled decay
     *                      c = sqrt(e) + 1e-8
     * n = 1 + |p - base| / c
     * with SGD and Adam:   g = g / n + weightDecay p (1 - n) / n
     * with AdamW:          g = g / n;  p = (1 - lr weightDecay (1 - n) / n) p   before the step
     * </pre>
     *
     * <p>Barkai, Hakimi and Schuster, "Gap aware mitigation of gradient staleness", ICLR 2020.
     *
     * @param decay decay of the running average with SGD, in [0, 1); 0.999 is customary. Adam and AdamW use their beta2
     */
    record GapAware(float decay) implements StalenessRule {

        static final float CUSTOMARY = 0.999f;

        public GapAware {
            Checks.belowOne("decay", decay);
        }

        @Override
        public String toString() {
            return new SpecWriter("gap-aware").unless(CUSTOMARY, "decay", decay).toString();
        }

        @Override
        public boolean needsBase() {
            return true;
        }

        @Override
        public void requireFits(OptimizerSettings optimizer) {
            boolean isAmsgrad = (optimizer instanceof AdamSettings adam && adam.amsgrad())
                    || (optimizer instanceof AdamWSettings adamW && adamW.amsgrad());
            if (isAmsgrad) {
                throw new IllegalArgumentException(
                        "%s is defined for Adam without AMSGrad, the optimizer is %s: write amsgrad=false, or the rule none"
                                .formatted(this, optimizer));
            }
        }
    }

    /**
     * Keeps a momentum {@code v} for each worker at the server. Workers compute on the point to which the momenta of
     * all workers will have moved the parameters. Needs one gradient per step.
     *
     * <pre>
     * v_i = momentum v_i + g + weightDecay p      i: the worker that sent g
     * p = p - lr v_i
     * workers compute on p - lr momentum sum_j v_j
     * </pre>
     *
     * <p>DANA-Zero: Hakimi, Barkai, Gabel and Schuster, "Taming momentum in a distributed asynchronous environment",
     * 2019. With one worker these points are those of Nesterov's method.
     */
    record LookAhead() implements StalenessRule {

        @Override
        public boolean needsArrayOfWorker() {
            return true;
        }

        @Override
        public String toString() {
            return "look-ahead";
        }

        @Override
        public void requireFits(OptimizerSettings optimizer) {
            LookAheadFit.require(this, optimizer);
        }
    }

    /**
     * {@link LookAhead}, but each worker keeps its momentum in a {@link WorkerMomentum}. The server makes plain SGD
     * steps with the pushed gradients, and its parameters are the look-ahead point.
     *
     * <p>DANA-Slim, from the same paper: the same points as long as the learning rate does not change.
     */
    record LookAheadSlim() implements StalenessRule {

        @Override
        public String toString() {
            return "look-ahead-slim";
        }

        @Override
        public void requireFits(OptimizerSettings optimizer) {
            SgdSettings sgd = LookAheadFit.require(this, optimizer);
            if (sgd.weightDecay() != 0) {
                throw new IllegalArgumentException(
                        "%s keeps the momentum at the workers, and the weight decay of %s would not enter it: write a weight decay of 0, or the rule look-ahead"
                                .formatted(this, sgd.weightDecay()));
            }
        }

        @Override
        public float workerMomentum(OptimizerSettings optimizer) {
            return LookAheadFit.require(this, optimizer).momentum();
        }
    }

    private static SpecForms forms() {
        return SpecForms.of(
                "staleness rule",
                "what it does to a stale gradient",
                7,
                "none",
                "nothing",
                "damped",
                "divides it by its staleness; with sgd only",
                "delay-compensated:lambda=0.04",
                "corrects it by how far the parameters have moved; `lambda` is the strength: 0.04",
                "adaptive-delay-compensated:lambda=2,decay=0.95",
                "the same with a strength for each value; `decay` is that of the mean square: 2, 0.95",
                "gap-aware:decay=0.999",
                "divides it by how far the parameters have moved, in steps of the usual size; `decay` is that of the running"
                        + " average with sgd: 0.999",
                "look-ahead",
                "nothing, but workers compute where the momenta of all will have moved the parameters; with sgd and a momentum",
                "look-ahead-slim",
                "the same, with the momenta at the workers; without weight decay");
    }
}
