package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.assertj.core.data.Offset;
import org.fleetgrad.optim.StalenessCases.Case;

/**
 * Compares every rule over every optimizer with its formulas in doubles. Each step starts from the same parameters on
 * both sides, so the only difference is the rounding of one step and of the state.
 */
class NaiveStalenessPropertyTest {

    private static final int STEPS = 15;
    private static final int SIZE = 12;
    private static final double TOLERANCE = 2e-5;

    /** The values that a worker computes on. */
    private record Pulled(float[] values, long version) {}

    @Property(tries = 1500)
    void shouldFollowFormulas(
            @ForAll("cases") Case one, @ForAll @IntRange(min = 1, max = 5) int workers, @ForAll Random random) {
        StalenessAwareOptimizer optimizer = one.create(SIZE);
        NaiveStaleness naive = new NaiveStaleness(one.rule(), one.optimizer(), SIZE);
        float[] parameters = StalenessCases.values(random, SIZE);
        Map<String, Pulled> pulled = new HashMap<>();
        for (int version = 0; version < STEPS; version++) {
            float rate = random.nextInt(8) == 0 ? 0 : 0.1f * random.nextFloat();
            int gradients = one.looksAhead() ? 1 : 1 + random.nextInt(3);
            float[] mean = new float[SIZE];
            double[] naiveMean = new double[SIZE];
            String worker = "";
            for (int n = 0; n < gradients; n++) {
                worker = "w/" + random.nextInt(workers);
                Pulled on = pulled.getOrDefault(worker, new Pulled(parameters.clone(), version));
                float[] gradient = StalenessCases.values(random, SIZE);
                float[] before = gradient.clone();
                long staleness = version - on.version();
                optimizer.arrive(worker, staleness, gradient, on.values(), parameters, rate);
                double[] expected = naive.arrive(worker, staleness, before, on.values(), parameters, rate);
                for (int i = 0; i < SIZE; i++) {
                    // The scale of the addends: cancellation leaves their rounding errors in the sum.
                    double scale = Math.abs((double) before[i]) * (1 + Math.abs((double) before[i]))
                            + Math.abs((double) parameters[i])
                            + Math.abs(expected[i]);
                    assertThat((double) gradient[i])
                            .as("gradient %d of version %d, staleness %d", i, version, staleness)
                            .isEqualTo(expected[i], Offset.offset(TOLERANCE * scale));
                    mean[i] += gradient[i] / gradients;
                    // Compares the rule only; other tests compare the optimizer.
                    naiveMean[i] += (double) gradient[i] / gradients;
                }
            }
            double[] expected = naive.step(worker, parameters, naiveMean, rate);
            optimizer.step(worker, parameters, mean, rate);
            assertClose("parameters of version " + (version + 1), parameters, expected);
            if (random.nextInt(6) == 0) {
                String gone = "w/" + random.nextInt(workers);
                optimizer.forget(gone);
                naive.forget(gone);
            }
            float[] served = optimizer.served(parameters, rate);
            assertClose("served of version " + (version + 1), served, naive.served(parameters, rate));
            pulled.put(worker, new Pulled(served.clone(), version + 1L));
        }
    }

    private static void assertClose(String what, float[] actual, double[] expected) {
        for (int i = 0; i < expected.length; i++) {
            assertThat((double) actual[i])
                    .as("%s, value %d", what, i)
                    .isEqualTo(expected[i], Offset.offset(2e-6 * Math.max(1, Math.abs(expected[i]))));
        }
    }

    @Provide
    Arbitrary<Case> cases() {
        return Arbitraries.of(StalenessCases.all());
    }
}
