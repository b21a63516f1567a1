package org.fleetgrad.networks.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenSamplerTest {

    /** Probabilities 0.1, 0.4, 0.2 and 0.3. */
    private static final float[] LOGITS = {
        (float) Math.log(0.1), (float) Math.log(0.4), (float) Math.log(0.2), (float) Math.log(0.3)
    };

    private static final int DRAWS = 40_000;

    private static double[] frequencies(Sampling sampling, float[] logits) {
        TokenSampler sampler = new TokenSampler(sampling, 7);
        double[] frequencies = new double[logits.length];
        for (int i = 0; i < DRAWS; i++) {
            frequencies[sampler.next(logits)] += 1.0 / DRAWS;
        }
        return frequencies;
    }

    @Test
    void shouldDrawByTheProbabilities() {
        assertThat(frequencies(new Sampling(1, 1), LOGITS))
                .containsExactly(new double[] {0.1, 0.4, 0.2, 0.3}, within(0.01));
    }

    /** Squared probabilities, since the temperature is a half: 1, 16, 4 and 9 of 30. */
    @Test
    void shouldSharpenByALowTemperature() {
        assertThat(frequencies(new Sampling(0.5, 1), LOGITS))
                .containsExactly(new double[] {1 / 30.0, 16 / 30.0, 4 / 30.0, 9 / 30.0}, within(0.01));
    }

    @Test
    void shouldDrawFromTheNucleusInProportion() {
        assertThat(frequencies(new Sampling(1, 0.65), LOGITS))
                .containsExactly(new double[] {0, 4 / 7.0, 0, 3 / 7.0}, within(0.01));
    }

    @Test
    void shouldApplyTheTemperatureBeforeTheNucleus() {
        // At 1 the nucleus of a half has two tokens; at a half, 16 of 30 suffice.
        assertThat(frequencies(new Sampling(0.5, 0.5), LOGITS))
                .containsExactly(new double[] {0, 1, 0, 0}, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "0, 0.5", "1, 0", "1e-300, 1", "4.9e-324, 0.9"})
    void shouldChooseTheMostProbableToken(double temperature, double topP) {
        TokenSampler sampler = new TokenSampler(new Sampling(temperature, topP), 3);
        assertThat(IntStream.range(0, 50).map(i -> sampler.next(LOGITS))).containsOnly(1);
    }

    @Test
    void shouldChooseTheFirstOfEqualTokens() {
        float[] equal = {-1, -0f, 0f, -0f, -2};
        assertThat(new TokenSampler(Sampling.GREEDY, 1).next(equal)).isEqualTo(1);
        assertThat(new TokenSampler(new Sampling(1, 0), 1).next(equal)).isEqualTo(1);
    }

    /** The tokens were drawn by a program of a few lines of Python: SplitMix64, the softmax in float64, and a sort. */
    @Test
    void shouldDrawTheSameTokensOnEveryMachine() {
        float[] logits = new float[1000];
        for (int i = 0; i < logits.length; i++) {
            logits[i] = (i * 7919 % 1000) / 250f;
        }
        TokenSampler sampler = new TokenSampler(new Sampling(0.8, 0.9), 42);
        assertThat(IntStream.range(0, 8).map(i -> sampler.next(logits)))
                .containsExactly(978, 951, 618, 754, 247, 300, 124, 892);
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
    void shouldRefuseALogitThatIsNotFinite(float value) {
        float[] logits = {1, value, 0};
        assertThatThrownBy(() -> new TokenSampler(Sampling.GREEDY, 1).next(logits))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the logit of token 1 is %s: training has diverged", value);
    }

    @Test
    void shouldRefuseNoLogits() {
        assertThatThrownBy(() -> new TokenSampler(Sampling.GREEDY, 1).next(new float[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a token is chosen from one logit or more; there are none");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY})
    void shouldRefuseATemperatureThatIsNone(double temperature) {
        assertThatThrownBy(() -> new Sampling(temperature, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a temperature must be 0 or more; it is " + temperature);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.001, Double.NaN})
    void shouldRefuseAProbabilityThatIsNone(double topP) {
        assertThatThrownBy(() -> new Sampling(1, topP))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("top_p must be from 0 to 1; it is " + topP);
    }
}
