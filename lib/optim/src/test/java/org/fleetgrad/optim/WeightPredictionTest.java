package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.WeightPrediction.Method;
import org.junit.jupiter.api.Test;

/** T12, T13 and T15 by closed forms and by steps of the optimizers themselves. */
class WeightPredictionTest {

    private static final SgdSettings PLAIN = new SgdSettings(0.9f, 0, false, 0);
    private static final SgdSettings DECAYED = new SgdSettings(0.9f, 0, false, 5e-4f);
    private static final float RATE = 0.1f;
    private static final int SIZE = 6;
    private static final float[] NOTHING = {};

    @Test
    void shouldReachAsFarAsClosedFormOfMsnag() {
        for (int steps = 0; steps <= 8; steps++) {
            double closed = 0.1 * (0.9 - StrictMath.pow(0.9, steps + 1)) / (1 - 0.9);

            assertThat(WeightPrediction.reach(0.9f, rates(steps))).isEqualTo(closed, Offset.offset(1e-12));
        }
        assertThat(WeightPrediction.reach(0.9f, RATE)).isEqualTo(0.1 * 0.9);
    }

    @Test
    void shouldPredictStepsWithoutGradientByMsnag() {
        for (int steps = 1; steps <= 8; steps++) {
            Trained trained = new Trained(PLAIN);

            float[] ahead = trained.predict(Method.MSNAG, NOTHING, steps);

            for (int j = 0; j < steps; j++) {
                trained.step(new float[SIZE]);
            }
            assertThat(ahead).containsExactly(trained.parameters, Offset.offset(1e-6f));
        }
    }

    /** T13: if the future is what was predicted, the gap is 0, bit for bit. */
    @Test
    void shouldPredictStepsWithGatheredGradientByAggmsnagBitForBit() {
        for (int steps = 1; steps <= 8; steps++) {
            Trained trained = new Trained(DECAYED);
            float[] gathered = values(3);

            float[] ahead = trained.predict(Method.AGGMSNAG, gathered, steps);

            trained.step(gathered);
            for (int j = 1; j < steps; j++) {
                trained.step(new float[SIZE]);
            }
            assertThat(ahead).isEqualTo(trained.parameters);
        }
    }

    @Test
    void shouldPredictOneAndTwoStepsByPublishedCoefficientsOfAggmsnag() {
        Trained trained = new Trained(DECAYED);
        float[] momentum = WeightPrediction.buffer(trained.optimizer.state(), "momentum_buffer")
                .clone();
        float[] phi = values(3);
        float[] one = trained.predict(Method.AGGMSNAG, phi, 1);
        float[] two = trained.predict(Method.AGGMSNAG, phi, 2);

        double decay = 5e-4;
        double kept = 1 - 0.1 * decay;
        double k = kept + 0.9;
        for (int i = 0; i < SIZE; i++) {
            double p = trained.parameters[i];
            double v = momentum[i];
            assertThat((double) one[i]).isEqualTo(kept * p - 0.1 * 0.9 * v - 0.1 * phi[i], Offset.offset(1e-6));
            assertThat((double) two[i])
                    .isEqualTo(
                            (kept - 0.1 * decay * k) * p - 0.1 * 0.9 * k * v - 0.1 * k * phi[i], Offset.offset(1e-6));
        }
    }

    @Test
    void shouldPredictAlsoBeforeFirstStepAndWithoutMomentum() {
        SgdSettings plain = new SgdSettings(0, 0, false, 0.5f);
        Optimizer optimizer = Optimizer.create(plain, SIZE);
        float[] parameters = values(1);
        float[] phi = values(2);
        float[] ahead = new float[SIZE];

        WeightPrediction.create(Method.AGGMSNAG, plain, DecayRanges.all(SIZE))
                .predict(ahead, parameters, optimizer.state(), phi, RATE);

        optimizer.step(parameters, phi, RATE);
        assertThat(ahead).isEqualTo(parameters);
    }

    @Test
    void shouldChangeNothingByNoStep() {
        for (OptimizerSettings settings : new OptimizerSettings[] {PLAIN, adam(0), adamW()}) {
            Trained trained = new Trained(settings);
            trained.parameters[0] = -0.0f;

            assertThat(trained.predict(Method.MSNAG, values(3), 0)).isEqualTo(trained.parameters);
        }
    }

    @Test
    void shouldNeverChangeParametersOrState() {
        for (OptimizerSettings settings : new OptimizerSettings[] {DECAYED, adam(0.1f), adamW()}) {
            Trained trained = new Trained(settings);
            float[] before = trained.parameters.clone();
            OptimizerState state = trained.optimizer.state().copy();
            float[] gathered = values(3);

            trained.predict(Method.AGGMSNAG, gathered, 3);

            assertThat(trained.parameters).isEqualTo(before);
            assertThat(gathered).isEqualTo(values(3));
            assertThat(trained.optimizer.state().steps()).isEqualTo(state.steps());
            trained.optimizer
                    .state()
                    .buffers()
                    .forEach((name, values) ->
                            assertThat(values).isEqualTo(state.buffers().get(name)));
        }
    }

    /** Reference 4.3: the momentum decays, the squares stay, and the bias corrections go on. */
    @Test
    void shouldFollowAdamsFormula() {
        Trained trained = new Trained(adam(0));
        OptimizerState state = trained.optimizer.state().copy();

        float[] ahead = trained.predict(Method.MSNAG, NOTHING, 3);

        for (int i = 0; i < SIZE; i++) {
            double p = trained.parameters[i];
            double m = WeightPrediction.buffer(state, "exp_avg")[i];
            double root = Math.sqrt(WeightPrediction.buffer(state, "exp_avg_sq")[i]);
            for (int j = 1; j <= 3; j++) {
                double t = state.steps() + j;
                p -= 0.1
                        / (1 - Math.pow(0.9, t))
                        * (Math.pow(0.9, j) * m)
                        / (root / Math.sqrt(1 - Math.pow(0.99, t)) + 1e-8);
            }
            assertThat((double) ahead[i]).isEqualTo(p, Offset.offset(2e-6));
        }
    }

    @Test
    void shouldPutDecayAndGatheredGradientIntoAdamsMomentum() {
        Trained trained = new Trained(adam(0.1f));
        OptimizerState state = trained.optimizer.state().copy();
        float[] phi = values(3);

        float[] ahead = trained.predict(Method.AGGMSNAG, phi, 2);

        for (int i = 0; i < SIZE; i++) {
            double p = trained.parameters[i];
            double m = WeightPrediction.buffer(state, "exp_avg")[i];
            double root = Math.sqrt(WeightPrediction.buffer(state, "exp_avg_sq")[i]);
            for (int j = 1; j <= 2; j++) {
                double t = state.steps() + j;
                m = 0.9 * m + 0.1 * ((j == 1 ? phi[i] : 0) + 0.1 * p);
                p -= 0.1 / (1 - Math.pow(0.9, t)) * m / (root / Math.sqrt(1 - Math.pow(0.99, t)) + 1e-8);
            }
            assertThat((double) ahead[i]).isEqualTo(p, Offset.offset(2e-6));
        }
    }

    @Test
    void shouldDecayBeforeEachStepOfAdamW() {
        Trained trained = new Trained(adamW());
        OptimizerState state = trained.optimizer.state().copy();

        float[] ahead = trained.predict(Method.MSNAG, NOTHING, 2);

        for (int i = 0; i < SIZE; i++) {
            double p = trained.parameters[i];
            double m = WeightPrediction.buffer(state, "exp_avg")[i];
            double root = Math.sqrt(WeightPrediction.buffer(state, "exp_avg_sq")[i]);
            for (int j = 1; j <= 2; j++) {
                double t = state.steps() + j;
                m = 0.9 * m;
                p = p * (1 - 0.1 * 0.2)
                        - 0.1 / (1 - Math.pow(0.9, t)) * m / (root / Math.sqrt(1 - Math.pow(0.99, t)) + 1e-8);
            }
            assertThat((double) ahead[i]).isEqualTo(p, Offset.offset(2e-6));
        }
    }

    @Test
    void shouldOnlyDecayWhatNeverHadGradient() {
        AdamWSettings settings = adamW();
        float[] parameters = {2};
        float[] ahead = new float[1];

        WeightPrediction.create(Method.AGGMSNAG, settings, DecayRanges.all(1))
                .predict(ahead, parameters, Optimizer.create(settings, 1).state(), new float[] {3}, RATE);

        assertThat(ahead[0]).isEqualTo(2 * (1 - 0.1f * 0.2f), Offset.offset(1e-6f));
    }

    @Test
    void shouldLeaveOutDecayWhereThereIsNone() {
        BitSet undecayed = new BitSet();
        undecayed.set(1);
        DecayRanges ranges = DecayRanges.without(2, undecayed);
        for (OptimizerSettings settings : new OptimizerSettings[] {
            new SgdSettings(0, 0, false, 0.5f), adam(0.5f), new AdamWSettings(0.9f, 0.99f, 1e-8f, 0.5f, false)
        }) {
            Optimizer optimizer = Optimizer.create(settings, ranges);
            float[] parameters = {1, 1};
            optimizer.step(parameters, new float[] {1e-3f, 1e-3f}, 0);
            float[] ahead = {0, 0};
            optimizer.state().buffers().values().forEach(buffer -> buffer[0] = buffer[1]);

            WeightPrediction.create(Method.AGGMSNAG, settings, ranges)
                    .predict(ahead, parameters, optimizer.state(), NOTHING, RATE);

            assertThat(ahead[0]).as(settings.toString()).isLessThan(ahead[1]);
        }
    }

    /** T15, and its opposite: another rate in the second step is seen. */
    @Test
    void shouldUseRateOfEachStep() {
        Trained trained = new Trained(adam(0));
        WeightPrediction prediction = WeightPrediction.create(Method.MSNAG, adam(0), DecayRanges.all(SIZE));
        float[] falling = new float[SIZE];
        float[] first = new float[SIZE];
        prediction.predict(falling, trained.parameters, trained.optimizer.state(), NOTHING, RATE, 0);
        prediction.predict(first, trained.parameters, trained.optimizer.state(), NOTHING, RATE);

        assertThat(falling).isEqualTo(first).isNotEqualTo(trained.predict(Method.MSNAG, NOTHING, 2));
    }

    /** FTPipe skips such a step, the decay of the momentum included. The optimizer itself does not. */
    @Test
    void shouldDecayMomentumInStepWithoutLearningRate() {
        for (OptimizerSettings settings : new OptimizerSettings[] {adam(0), adamW()}) {
            Trained trained = new Trained(settings);
            float[] ahead = new float[SIZE];
            OptimizerState before = trained.optimizer.state().copy();
            float[] phi = values(3);

            WeightPrediction.create(Method.AGGMSNAG, settings, DecayRanges.all(SIZE))
                    .predict(ahead, trained.parameters, before, phi, 0, RATE);

            // The optimizer's own step at a rate of 0 leaves the parameters, and gives the momentum of the next step.
            trained.optimizer.step(trained.parameters, phi, 0);
            OptimizerState after = trained.optimizer.state().copy();
            OptimizerState unsquared = new OptimizerState(
                    after.steps(),
                    Map.of(
                            "exp_avg", WeightPrediction.buffer(after, "exp_avg"),
                            "exp_avg_sq", WeightPrediction.buffer(before, "exp_avg_sq")));
            float[] rest = new float[SIZE];
            WeightPrediction.create(Method.AGGMSNAG, settings, DecayRanges.all(SIZE))
                    .predict(rest, trained.parameters, unsquared, NOTHING, RATE);
            assertThat(ahead).containsExactly(rest, Offset.offset(1e-6f));
        }
    }

    @Test
    void shouldLookAheadAsNesterovWithoutDecay() {
        Trained trained = new Trained(DECAYED);
        float[] momentum = WeightPrediction.buffer(trained.optimizer.state(), "momentum_buffer");
        float[] phi = values(3);
        float[] ahead = new float[SIZE];

        WeightPrediction.create(Method.AGGMSNAG, DECAYED, DecayRanges.all(SIZE))
                .lookAhead(ahead, trained.parameters, trained.optimizer.state(), phi, RATE);

        for (int i = 0; i < SIZE; i++) {
            double expected = trained.parameters[i] - 0.1 * 0.9 * momentum[i] - 0.1 * phi[i];
            assertThat((double) ahead[i]).isEqualTo(expected, Offset.offset(1e-6));
        }
    }

    @Test
    void shouldRefuseMethodThatDoesNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WeightPrediction.requireFits(Method.MSNAG, DECAYED))
                .withMessageContaining("write aggmsnag");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WeightPrediction.requireFits(Method.AGGMSNAG, PLAIN))
                .withMessageContaining("write msnag");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WeightPrediction.requireFits(Method.MSNAG, new SgdSettings(0.9f, 0, true, 0)))
                .withMessageContaining("write nesterov=false");
    }

    /** An optimizer after three steps. */
    private static final class Trained {
        private final OptimizerSettings settings;
        private final Optimizer optimizer;
        private final float[] parameters = values(1);

        Trained(OptimizerSettings settings) {
            this.settings = settings;
            this.optimizer = Optimizer.create(settings, SIZE);
            for (int i = 0; i < 3; i++) {
                step(values(10 + i));
            }
        }

        void step(float[] gradient) {
            optimizer.step(parameters, gradient, RATE);
        }

        float[] predict(Method method, float[] gathered, int steps) {
            float[] ahead = new float[SIZE];
            WeightPrediction.create(method, settings, DecayRanges.all(SIZE))
                    .predict(ahead, parameters, optimizer.state(), gathered, rates(steps));
            return ahead;
        }
    }

    private static AdamSettings adam(float decay) {
        return new AdamSettings(0.9f, 0.99f, 1e-8f, decay, false);
    }

    private static AdamWSettings adamW() {
        return new AdamWSettings(0.9f, 0.99f, 1e-8f, 0.2f, false);
    }

    private static float[] rates(int steps) {
        float[] rates = new float[steps];
        Arrays.fill(rates, RATE);
        return rates;
    }

    private static float[] values(int seed) {
        Random random = new Random(seed);
        float[] values = new float[SIZE];
        for (int i = 0; i < SIZE; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }
}
