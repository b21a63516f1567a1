package org.fleetgrad.optim;

import java.util.Objects;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;

/**
 * Predicts from an optimizer's momenta the parameters in {@code n} steps: a pipeline stage computes its forward pass on
 * them, because its gradient will be applied to about these parameters.
 *
 * <p>{@code p} are the parameters, {@code v} or {@code m} the momentum, {@code lr_j} the learning rate of the j-th step
 * from now, {@code phi} the part of the next step's gradient that is known already, and {@code lambda} the weight
 * decay.
 *
 * <pre>
 * {@link Method#MSNAG}, SGD:     p - sum over j of lr_j momentum^j v        = p - lr (momentum - momentum^(n+1)) / (1 - momentum) v
 * {@link Method#AGGMSNAG}, SGD:  d = phi (j = 1), 0 (later);  v = momentum v + d + lambda p;  p = p - lr_j v
 * {@link Method#MSNAG}, Adam:    m = beta1 m + (1 - beta1) lambda p
 *                    p = p - lr_j / (1 - beta1^(t+j)) m / (sqrt(q) / sqrt(1 - beta2^(t+j)) + epsilon)
 * {@link Method#AGGMSNAG}, Adam: the same, with phi beside lambda p for j = 1
 * AdamW:             p = (1 - lr_j lambda) p before each, and no lambda in m
 * </pre>
 *
 * <p>So SGD's predictions are exactly {@code n} steps with the gradients {@code (phi, 0, ..., 0)}, and AGGMSNAG has the
 * bits of these steps. Adam's leave the squares {@code q} unchanged. A value whose {@code q} is 0 never had a gradient,
 * and is only decayed: its step would be divided by epsilon.
 *
 * <p>Multi-step prediction along Nesterov's momentum: Hakimi, Barkai, Gabel and Schuster, "Taming momentum in a
 * distributed asynchronous environment" (DANA), 2019, for the idea; Eliad, Hakimi, De Jagger, Silberstein and Schuster,
 * "Fine-tuning giant neural networks on commodity hardware with automatic pipeline model parallelism" (FTPipe), USENIX
 * ATC 2021, for pipelines. Arithmetic is float32 in the optimizer's order; factors are computed as doubles. Immutable
 * and thread-safe.
 */
public final class WeightPrediction {

    private static final float[] NONE = new float[0];

    private final Method method;
    private final OptimizerSettings settings;
    private final DecayRanges ranges;

    /** What a prediction takes into account. */
    public enum Method {
        /** The momentum only: multi-step Nesterov's accelerated gradient. */
        MSNAG,
        /** The weight decay, and the gradient that has been accumulated for the next step. */
        AGGMSNAG
    }

    private WeightPrediction(Method method, OptimizerSettings settings, DecayRanges ranges) {
        this.method = method;
        this.settings = settings;
        this.ranges = ranges;
    }

    /**
     * Returns a prediction for an optimizer with these settings and ranges.
     *
     * @throws IllegalArgumentException if the method does not {@link #requireFits fit} the optimizer
     */
    public static WeightPrediction create(Method method, OptimizerSettings settings, DecayRanges ranges) {
        requireFits(method, settings);
        return new WeightPrediction(method, settings, ranges);
    }

    /**
     * Checks that a method predicts this optimizer.
     *
     * @throws IllegalArgumentException if it does not; the message gives the reason and what to write instead
     */
    public static void requireFits(Method method, OptimizerSettings settings) {
        if (!(settings instanceof SgdSettings sgd)) {
            return;
        }
        if (sgd.nesterov()) {
            throw new IllegalArgumentException(
                    "a prediction looks ahead along the momentum as Nesterov's does, so both together look too far; the optimizer is %s: write nesterov=false"
                            .formatted(sgd));
        }
        if (method == Method.MSNAG && sgd.weightDecay() != 0) {
            throw new IllegalArgumentException(
                    "msnag with SGD leaves out the weight decay, which is %s: write aggmsnag, or weight_decay=0"
                            .formatted(sgd.weightDecay()));
        }
        if (method == Method.AGGMSNAG && sgd.weightDecay() == 0) {
            throw new IllegalArgumentException(
                    "aggmsnag with SGD is for a weight decay, which is 0: write msnag, or a weight_decay of more than 0");
        }
    }

    /** Returns whether the gradient accumulated for the next step is used. */
    public boolean usesGathered() {
        return method == Method.AGGMSNAG;
    }

    /**
     * Predicts {@code rates.length} steps. With no step, {@code ahead} gets the bits of {@code parameters}.
     *
     * @param ahead      gets the predicted values; may be {@code parameters} itself
     * @param parameters the present values; only read
     * @param state      of the optimizer now; only read
     * @param gathered   the gradient accumulated so far for the next step, as the optimizer will see it; empty for
     *     none. Only read, and only if {@link #usesGathered}
     * @param rates      the learning rates of the coming steps, the next one first
     * @throws IllegalArgumentException if an array has the wrong size, or a rate is negative or not finite
     */
    public void predict(float[] ahead, float[] parameters, OptimizerState state, float[] gathered, float... rates) {
        int size = ranges.size();
        Checks.sizes(size, parameters, ahead);
        for (float rate : rates) {
            Checks.notNegative("the learning rate", rate);
        }
        float[] phi = usesGathered() ? gathered : NONE;
        if (phi.length != 0) {
            Checks.sizes(size, parameters, phi);
        }
        System.arraycopy(parameters, 0, ahead, 0, size);
        if (rates.length == 0) {
            return;
        }
        if (!(settings instanceof SgdSettings sgd)) {
            AdamAhead.of(settings, state, rates).predict(ahead, state, phi, ranges);
        } else if (method == Method.MSNAG) {
            followMomentum(ahead, sgd, state, rates);
        } else {
            descend(ahead, sgd, state, phi, rates);
        }
    }

    private void followMomentum(float[] ahead, SgdSettings sgd, OptimizerState state, float[] rates) {
        double reach = reach(sgd.momentum(), rates);
        if (reach == 0) {
            return;
        }
        float[] momentum = buffer(state, "momentum_buffer");
        StalenessLoops.lookAhead(ahead, ahead, momentum, (float) -reach);
    }

    /** Returns the total factor of the momentum: {@code sum over j of lr_j momentum^j}. */
    static double reach(float momentum, float... rates) {
        double kept = Decimals.written(momentum);
        double power = 1;
        double reach = 0;
        for (float rate : rates) {
            power *= kept;
            reach += Decimals.written(rate) * power;
        }
        return reach;
    }

    private void descend(float[] ahead, SgdSettings sgd, OptimizerState state, float[] phi, float[] rates) {
        float kept = sgd.momentum();
        float[] momentum = kept == 0 ? NONE : buffer(state, "momentum_buffer");
        float fresh = kept == 0 ? 1 : (float) (1 - Decimals.written(sgd.dampening()));
        float freshFirst = state.steps() == 0 ? 1 : fresh;
        Cores.each(
                ahead.length,
                (begin, end) -> ranges.each(begin, end, sgd.weightDecay(), (from, to, decay) -> {
                    for (int i = from; i < to; i++) {
                        float p = ahead[i];
                        float v = momentum.length == 0 ? 0 : momentum[i];
                        for (int j = 0; j < rates.length; j++) {
                            float gradient = j == 0 && phi.length != 0 ? phi[i] : 0;
                            v = v * kept + (j == 0 ? freshFirst : fresh) * (gradient + decay * p);
                            p = p + -rates[j] * v;
                        }
                        ahead[i] = p;
                    }
                }));
    }

    static float[] buffer(OptimizerState state, String name) {
        return Objects.requireNonNull(
                state.buffers().get(name),
                () -> "the optimizer's state has no buffer '%s', its buffers are %s"
                        .formatted(name, state.buffers().keySet()));
    }

    /**
     * Looks ahead one step where no step lies between forward and backward, as Nesterov's momentum does, without weight
     * decay: {@code p - lr (momentum v + phi)} with SGD. With Adam this is {@link #predict} of one step.
     *
     * @param rate that of the coming step; the other arguments are those of {@link #predict}
     */
    public void lookAhead(float[] ahead, float[] parameters, OptimizerState state, float[] gathered, float rate) {
        if (!(settings instanceof SgdSettings sgd)) {
            predict(ahead, parameters, state, gathered, rate);
            return;
        }
        SgdSettings without = new SgdSettings(sgd.momentum(), sgd.dampening(), false, 0);
        float[] phi = usesGathered() ? gathered : NONE;
        Checks.sizes(ranges.size(), parameters, ahead);
        System.arraycopy(parameters, 0, ahead, 0, ahead.length);
        descend(ahead, without, state, phi, new float[] {rate});
    }
}
