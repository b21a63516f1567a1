package org.fleetgrad.optim;

import java.util.Objects;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;

/** The optimizer of {@link AdamSettings} and {@link AdamWSettings}. */
final class Adam implements Optimizer {

    /**
     * Elements in one block: small enough that they are still in the first-level cache for the next stage of the step.
     */
    private static final int BLOCK = 1024;

    private static final float[] NOT_RECORDED = new float[0];

    private final int size;
    private final StepRanges ranges;
    private final double beta1;
    private final double beta2;
    private final float epsilon;
    private final float freshShare;
    private final float freshSquaresShare;
    private final float penalty;
    private final double decoupledDecay;
    private final boolean isAmsgrad;
    private final Buffers buffers;
    private final float[] average;
    private final float[] squares;
    private final float[] largestSquares;
    private final float[] stepSquares;
    private long steps;

    /** The factors of one step, the same for all parameters with one learning rate. */
    private record Factors(float rate, float scale, float kept) {}

    Adam(AdamSettings settings, StepRanges ranges) {
        this(settings, false, ranges, NOT_RECORDED);
    }

    Adam(AdamWSettings settings, StepRanges ranges) {
        this(coupled(settings), true, ranges, NOT_RECORDED);
    }

    /**
     * Returns an optimizer that stores a running average of its squared steps in {@code stepSquares}, and moves
     * parameters as usual. A step here is the part made by the moments, without the decoupled decay.
     *
     * <pre>
     * e = beta2 e + (1 - beta2) step^2
     * </pre>
     */
    static Adam recording(OptimizerSettings settings, StepRanges ranges, float[] stepSquares) {
        return settings instanceof AdamSettings adam
                ? new Adam(adam, false, ranges, stepSquares)
                : new Adam(coupled((AdamWSettings) settings), true, ranges, stepSquares);
    }

    private static AdamSettings coupled(AdamWSettings settings) {
        return new AdamSettings(
                settings.beta1(), settings.beta2(), settings.epsilon(), settings.weightDecay(), settings.amsgrad());
    }

    private Adam(AdamSettings settings, boolean isDecoupled, StepRanges ranges, float[] stepSquares) {
        this.ranges = ranges;
        this.size = ranges.size();
        this.beta1 = Decimals.written(settings.beta1());
        this.beta2 = Decimals.written(settings.beta2());
        this.epsilon = settings.epsilon();
        this.freshShare = (float) (1 - beta1);
        this.freshSquaresShare = (float) (1 - beta2);
        this.penalty = isDecoupled ? 0 : settings.weightDecay();
        this.decoupledDecay = isDecoupled ? Decimals.written(settings.weightDecay()) : 0;
        this.isAmsgrad = settings.amsgrad();
        this.buffers = isAmsgrad
                ? new Buffers(size, "exp_avg", "exp_avg_sq", "max_exp_avg_sq")
                : new Buffers(size, "exp_avg", "exp_avg_sq");
        this.average = buffers.get("exp_avg");
        this.squares = buffers.get("exp_avg_sq");
        this.largestSquares = isAmsgrad ? buffers.get("max_exp_avg_sq") : squares;
        this.stepSquares = stepSquares;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Step beginStep(float learningRate) {
        Checks.notNegative("the learning rate", learningRate);
        steps++;
        // StrictMath, because Math.pow may differ in the last bit from machine to machine.
        double unbiased = 1 - StrictMath.pow(beta1, (double) steps);
        float scale = (float) Math.sqrt(1 - StrictMath.pow(beta2, (double) steps));
        float[] rates = ranges.rates().rates(learningRate);
        Factors[] factors = new Factors[rates.length];
        for (int i = 0; i < rates.length; i++) {
            double rate = Decimals.written(rates[i]);
            factors[i] = new Factors((float) -(rate / unbiased), scale, (float) (1 - rate * decoupledDecay));
        }
        return (parameters, gradient, from, to) -> {
            Checks.sizes(size, parameters, gradient);
            Objects.checkFromToIndex(from, to, size);
            ranges.rates()
                    .each(from, to, (first, last, range) -> apply(parameters, gradient, first, last, factors[range]));
        };
    }

    private void apply(float[] parameters, float[] gradient, int from, int to, Factors factors) {
        if (penalty == 0) {
            ranges.decay()
                    .eachOr(
                            from,
                            to,
                            factors.kept(),
                            1,
                            (begin, end, keep) -> apply(parameters, gradient, begin, end, 0, keep, factors));
        } else {
            ranges.decay()
                    .each(
                            from,
                            to,
                            penalty,
                            (begin, end, decay) -> apply(parameters, gradient, begin, end, decay, 1, factors));
        }
    }

    private void apply(
            float[] parameters, float[] gradient, int from, int to, float decay, float kept, Factors factors) {
        for (int at = from; at < to; at += BLOCK) {
            applyBlock(parameters, gradient, at, Math.min(at + BLOCK, to), decay, kept, factors);
        }
    }

    private void applyBlock(
            float[] parameters, float[] gradient, int from, int to, float decay, float kept, Factors factors) {
        if (freshShare < 0.5f) {
            Elementwise.average(parameters, gradient, decay, average, freshShare, from, to);
        } else {
            Elementwise.averageFromFarEnd(parameters, gradient, decay, average, freshShare, from, to);
        }
        Elementwise.averageSquares(parameters, gradient, decay, squares, (float) beta2, freshSquaresShare, from, to);
        if (isAmsgrad) {
            Elementwise.maximum(largestSquares, squares, from, to);
        }
        if (stepSquares.length == 0) {
            Elementwise.descendByMoments(
                    parameters, average, largestSquares, kept, factors.rate(), factors.scale(), epsilon, from, to);
            return;
        }
        Elementwise.descendByMomentsRecorded(
                parameters,
                average,
                largestSquares,
                kept,
                factors.rate(),
                factors.scale(),
                epsilon,
                stepSquares,
                (float) beta2,
                freshSquaresShare,
                from,
                to);
    }

    @Override
    public OptimizerState state() {
        return new OptimizerState(steps, buffers.byName());
    }

    @Override
    public void restore(OptimizerState state) {
        buffers.restore(state.buffers());
        steps = state.steps();
    }
}
