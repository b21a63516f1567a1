package org.fleetgrad.optim;

import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;

/** The factors of the coming steps of {@link Adam}, for {@link WeightPrediction}, which has the formulas. */
final class AdamAhead {

    private final float freshShare;
    private final float epsilon;
    private final float penalty;
    private final boolean isAmsgrad;
    /** For each step: the factor of the momentum, that of the squares' root, and the share that the decay leaves. */
    private final float[] rates;

    private final float[] scales;
    private final float[] kept;

    private AdamAhead(AdamSettings settings, double decoupledDecay, float penalty, long steps, float[] learningRates) {
        double beta1 = Decimals.written(settings.beta1());
        double beta2 = Decimals.written(settings.beta2());
        this.freshShare = (float) (1 - beta1);
        this.epsilon = settings.epsilon();
        this.penalty = penalty;
        this.isAmsgrad = settings.amsgrad();
        this.rates = new float[learningRates.length];
        this.scales = new float[learningRates.length];
        this.kept = new float[learningRates.length];
        for (int j = 0; j < learningRates.length; j++) {
            double rate = Decimals.written(learningRates[j]);
            double step = steps + j + 1;
            rates[j] = (float) -(rate / (1 - StrictMath.pow(beta1, step)));
            scales[j] = (float) Math.sqrt(1 - StrictMath.pow(beta2, step));
            kept[j] = (float) (1 - rate * decoupledDecay);
        }
    }

    static AdamAhead of(OptimizerSettings settings, OptimizerState state, float[] learningRates) {
        if (settings instanceof AdamSettings adam) {
            return new AdamAhead(adam, 0, adam.weightDecay(), state.steps(), learningRates);
        }
        AdamWSettings adamW = (AdamWSettings) settings;
        AdamSettings coupled = new AdamSettings(adamW.beta1(), adamW.beta2(), adamW.epsilon(), 0, adamW.amsgrad());
        return new AdamAhead(coupled, Decimals.written(adamW.weightDecay()), 0, state.steps(), learningRates);
    }

    /** Carries {@code ahead}, which begins at the present values, through all steps. */
    void predict(float[] ahead, OptimizerState state, float[] phi, DecayRanges ranges) {
        float[] average = WeightPrediction.buffer(state, "exp_avg");
        float[] squares = WeightPrediction.buffer(state, isAmsgrad ? "max_exp_avg_sq" : "exp_avg_sq");
        // 1 where there is decay and 0 elsewhere: both kinds of decay act in these ranges only.
        Cores.each(
                ahead.length,
                (begin, end) -> ranges.each(begin, end, 1, (from, to, decays) -> {
                    float decay = decays * penalty;
                    for (int i = from; i < to; i++) {
                        float gathered = phi.length == 0 ? 0 : phi[i];
                        ahead[i] = carry(ahead[i], average[i], squares[i], gathered, decay, decays != 0);
                    }
                }));
    }

    private float carry(float value, float average, float square, float gathered, float decay, boolean isDecayed) {
        float p = value;
        float m = average;
        float root = (float) Math.sqrt(square);
        for (int j = 0; j < rates.length; j++) {
            float direction = (j == 0 ? gathered : 0) + decay * p;
            m = m + freshShare * (direction - m);
            float left = isDecayed ? kept[j] : 1;
            p = root == 0 ? p * left : p * left + rates[j] * m / (root / scales[j] + epsilon);
        }
        return p;
    }
}
