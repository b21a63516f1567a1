package org.fleetgrad.networks.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;

class NucleusPropertyTest {

    private static final double ROUNDED = 1e-12;

    /** A few values only, so that many tokens are equally probable, or any. */
    @Provide
    Arbitrary<float[]> logits() {
        Arbitrary<Float> value = Arbitraries.oneOf(
                Arbitraries.of(-1f, -0f, 0f, 2f),
                Arbitraries.floats().between(-20, 20),
                Arbitraries.floats().between(-Float.MAX_VALUE, Float.MAX_VALUE));
        return value.array(float[].class).ofMinSize(1).ofMaxSize(60);
    }

    private static int mostProbable(float[] logits) {
        int most = 0;
        for (int i = 1; i < logits.length; i++) {
            most = logits[i] > logits[most] ? i : most;
        }
        return most;
    }

    /** The definition, in the simplest way. */
    private static double[] probabilities(float[] logits, double temperature) {
        double largest = logits[mostProbable(logits)];
        double[] weights = new double[logits.length];
        for (int i = 0; i < logits.length; i++) {
            weights[i] = Math.exp((logits[i] - largest) / temperature);
        }
        double total = Arrays.stream(weights).sum();
        return Arrays.stream(weights).map(weight -> weight / total).toArray();
    }

    private static Nucleus nucleus(float[] logits, double temperature, double topP) {
        return Nucleus.of(logits, logits[mostProbable(logits)], new Sampling(temperature, topP));
    }

    @Property
    void shouldHaveTheProbabilitiesOfTheSoftmax(
            @ForAll("logits") float[] logits, @ForAll @DoubleRange(min = 0.05, max = 4) double temperature) {
        Nucleus all = nucleus(logits, temperature, 1);
        double[] expected = probabilities(logits, temperature);
        double total = Arrays.stream(all.weights()).sum();

        assertThat(all.tokens()).isEqualTo(IntStream.range(0, logits.length).toArray());
        for (int i = 0; i < logits.length; i++) {
            assertThat(all.weights()[i] / total).isCloseTo(expected[i], within(ROUNDED));
        }
    }

    @Property
    void shouldBeTheSmallestSetOfTheMostProbableTokens(
            @ForAll("logits") float[] logits,
            @ForAll @DoubleRange(min = 0.05, max = 4) double temperature,
            @ForAll @DoubleRange(min = 0, max = 1) double topP) {
        double[] probabilities = probabilities(logits, temperature);
        Set<Integer> within = Arrays.stream(nucleus(logits, temperature, topP).tokens())
                .boxed()
                .collect(Collectors.toSet());
        List<Integer> others = IntStream.range(0, logits.length)
                .boxed()
                .filter(i -> !within.contains(i))
                .toList();
        double mass = within.stream().mapToDouble(i -> probabilities[i]).sum();
        int last = within.stream()
                .min(Comparator.<Integer>comparingDouble(i -> logits[i]).thenComparing(Comparator.reverseOrder()))
                .orElseThrow();

        assertThat(mass).isGreaterThanOrEqualTo(topP - ROUNDED);
        if (topP < 1 && within.size() > 1) {
            assertThat(mass - probabilities[last]).isLessThan(topP + ROUNDED);
        }
        for (int other : others) {
            assertThat(logits[other] < logits[last] || (logits[other] == logits[last] && other > last))
                    .isTrue();
        }
    }

    @Property
    void shouldNeverChooseATokenOutsideOfTheNucleus(
            @ForAll("logits") float[] logits,
            @ForAll @DoubleRange(min = 0.05, max = 4) double temperature,
            @ForAll @DoubleRange(min = 0, max = 1) double topP,
            @ForAll long seed) {
        TokenSampler sampler = new TokenSampler(new Sampling(temperature, topP), seed);
        double[] probabilities = probabilities(logits, temperature);
        int[] nucleus = nucleus(logits, temperature, topP).tokens();

        for (int i = 0; i < 20; i++) {
            int token = sampler.next(logits);
            assertThat(nucleus).contains(token);
            assertThat(probabilities[token]).isPositive();
        }
    }

    @Property
    void shouldChooseSomeTokenAtEachPlaceOfTheDistribution(@ForAll("logits") float[] logits) {
        Nucleus all = nucleus(logits, 1, 1);
        int first = IntStream.range(0, logits.length)
                .filter(i -> all.weights()[i] > 0)
                .findFirst()
                .orElseThrow();

        assertThat(all.token(0)).isEqualTo(first);
        assertThat(all.weights()[all.token(Math.nextDown(1.0))]).isPositive();
    }

    @Property
    void shouldChooseTheMostProbableTokenAtATemperatureOfZero(@ForAll("logits") float[] logits, @ForAll long seed) {
        assertThat(new TokenSampler(Sampling.GREEDY, seed).next(logits)).isEqualTo(mostProbable(logits));
    }

    @Property
    void shouldChooseTheSameTokensForTheSameSeed(
            @ForAll("logits") float[] logits,
            @ForAll @DoubleRange(min = 0, max = 4) double temperature,
            @ForAll @DoubleRange(min = 0, max = 1) double topP,
            @ForAll long seed) {
        Sampling sampling = new Sampling(temperature, topP);
        TokenSampler one = new TokenSampler(sampling, seed);
        TokenSampler other = new TokenSampler(sampling, seed);

        for (int i = 0; i < 20; i++) {
            assertThat(one.next(logits)).isEqualTo(other.next(logits));
        }
    }
}
