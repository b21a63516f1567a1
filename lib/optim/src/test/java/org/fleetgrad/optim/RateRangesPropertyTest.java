package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.optim.StalenessCases.Case;

/** Learning rates of their own, for every rule with every optimizer. */
class RateRangesPropertyTest {

    private static final int CALLS = 24;
    private static final double[] FACTORS = {0.1, 1, 10, 0.3};

    /** A range, with an optimizer of its own whose learning rate is multiplied before each call. */
    private static final class Alone {

        final int from;
        final int to;
        final double factor;
        final StalenessAwareOptimizer optimizer;
        final float[] parameters;

        Alone(Case one, int from, int to, double factor, BitSet undecayed, float[] all) {
            this.from = from;
            this.to = to;
            this.factor = factor;
            this.optimizer = StalenessAwareOptimizer.create(
                    one.rule(), one.optimizer(), DecayRanges.without(to - from, undecayed.get(from, to)));
            this.parameters = part(all);
        }

        float[] part(float[] all) {
            return Arrays.copyOfRange(all, from, to);
        }

        float rate(float learningRate) {
            return factor == 1 ? learningRate : (float) (Decimals.written(learningRate) * factor);
        }
    }

    @Provide
    Arbitrary<Case> cases() {
        return Arbitraries.of(StalenessCases.all());
    }

    @Property(tries = 600)
    void shouldStepEachRangeAsAnOptimizerOfItsOwnWould(
            @ForAll("cases") Case one, @ForAll @IntRange(min = 1, max = 5) int ranges, @ForAll long seed) {
        Random random = new Random(seed);
        int[] counts = random.ints(ranges, 0, 9).toArray();
        double[] factors = random.ints(ranges, 0, FACTORS.length)
                .mapToDouble(i -> FACTORS[i])
                .toArray();
        int size = Arrays.stream(counts).sum();
        BitSet undecayed = new BitSet();
        for (int i = 0; i < size; i++) {
            undecayed.set(i, random.nextInt(3) == 0);
        }
        float[] parameters = StalenessCases.values(random, size);
        StalenessAwareOptimizer whole = StalenessAwareOptimizer.create(
                one.rule(),
                one.optimizer(),
                new StepRanges(DecayRanges.without(size, undecayed), RateRanges.of(counts, factors)));
        List<Alone> alone = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < ranges; i++) {
            alone.add(new Alone(one, at, at + counts[i], factors[i], undecayed, parameters));
            at += counts[i];
        }
        for (int i = 0; i < CALLS; i++) {
            String worker = "w-" + random.nextInt(3);
            // 0 as well: a schedule may end there.
            float rate = 0.1f * random.nextInt(3);
            int staleness = random.nextInt(4);
            float[] gradient = StalenessCases.values(random, size);
            float[] base = StalenessCases.values(random, size);
            boolean isStep = one.looksAhead() || random.nextBoolean();
            float[] before = gradient.clone();
            whole.arrive(worker, staleness, gradient, base, parameters, rate);
            if (isStep) {
                whole.step(worker, parameters, gradient, rate);
            }
            float[] served = whole.served(parameters, rate);
            for (Alone each : alone) {
                float own = each.rate(rate);
                float[] ownGradient = each.part(before);
                each.optimizer.arrive(worker, staleness, ownGradient, each.part(base), each.parameters, own);
                if (isStep) {
                    each.optimizer.step(worker, each.parameters, ownGradient, own);
                }
                assertThat(each.part(parameters)).isEqualTo(each.parameters);
                assertThat(each.part(served)).isEqualTo(each.optimizer.served(each.parameters, own));
            }
        }
    }

    @Example
    void shouldRefuseFactorsThatNoLearningRateHas() {
        for (double factor : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY, 1e7, 1e-7}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RateRanges.of(new int[] {1}, factor))
                    .withMessageStartingWith("a factor of the learning rate is from 1.0E-6 to 1000000.0; it is ");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateRanges.of(new int[] {1}, 0))
                .withMessageContaining("freeze these tensors instead");
        assertThatIllegalArgumentException().isThrownBy(() -> RateRanges.of(new int[] {1, 2}, 1));
    }
}
