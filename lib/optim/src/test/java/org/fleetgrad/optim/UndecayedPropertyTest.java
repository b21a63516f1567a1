package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.optim.StalenessCases.Case;

/** What weight decay leaves out, for every rule with every optimizer. */
class UndecayedPropertyTest {

    private static final int CALLS = 24;

    /**
     * A network's state has these positions: their gradient is always 0, and their base may be anything. The other
     * positions must be as in a vector without the state; otherwise a norm or mean was computed across values.
     */
    @Property(tries = 600)
    void shouldKeepBitsOfPlacesWithoutDecayAndGradient(
            @ForAll("cases") Case one,
            @ForAll @IntRange(min = 1, max = 30) int size,
            @ForAll @IntRange(min = 1, max = 4) int workers,
            @ForAll long seed) {
        Random random = new Random(seed);
        BitSet state = new BitSet();
        BitSet undecayed = new BitSet();
        for (int i = 0; i < size; i++) {
            state.set(i, random.nextInt(3) == 0);
            undecayed.set(i, state.get(i) || random.nextInt(3) == 0);
        }
        StalenessAwareOptimizer whole =
                StalenessAwareOptimizer.create(one.rule(), one.optimizer(), DecayRanges.without(size, undecayed));
        StalenessAwareOptimizer alone = StalenessAwareOptimizer.create(
                one.rule(),
                one.optimizer(),
                DecayRanges.without(size - state.cardinality(), without(undecayed, state, size)));
        float[] parameters = StalenessCases.values(random, size);
        float[] first = parameters.clone();
        float[] others = without(parameters, state);
        Map<String, WorkerMomentum> momenta = new HashMap<>();
        for (int i = 0; i < CALLS; i++) {
            String worker = "w-" + random.nextInt(workers);
            float rate = 0.1f * random.nextInt(3);
            int staleness = random.nextInt(4);
            float[] gradient = StalenessCases.values(random, size);
            state.stream().forEach(place -> gradient[place] = 0);
            float[] base = StalenessCases.values(random, size);
            float momentum = one.rule().workerMomentum(one.optimizer());
            if (momentum > 0) {
                momenta.computeIfAbsent(worker, id -> new WorkerMomentum(momentum, size))
                        .apply(gradient);
            }
            float[] ofOthers = without(gradient, state);
            whole.arrive(worker, staleness, gradient, base, parameters, rate);
            alone.arrive(worker, staleness, ofOthers, without(base, state), others, rate);
            if (random.nextInt(10) == 0) {
                whole.forget(worker);
                alone.forget(worker);
            }
            if (one.looksAhead() || random.nextBoolean()) {
                whole.step(worker, parameters, gradient, rate);
                alone.step(worker, others, ofOthers, rate);
            }
            float[] served = whole.served(parameters, rate);
            state.stream().forEach(place -> {
                assertThat(bits(parameters[place])).isEqualTo(bits(first[place]));
                assertThat(bits(served[place])).isEqualTo(bits(first[place]));
            });
            assertThat(without(parameters, state)).isEqualTo(others);
            assertThat(without(served, state)).isEqualTo(alone.served(others, rate));
        }
    }

    /** Positions with and without decay are independent: each part is as if all positions had its decay. */
    @Property(tries = 400)
    void shouldDecayRangesAsOptimizersOfTheirOwnWould(
            @ForAll("cases") Case one, @ForAll @IntRange(min = 1, max = 30) int size, @ForAll long seed) {
        Random random = new Random(seed);
        BitSet undecayed = new BitSet();
        for (int i = 0; i < size; i++) {
            undecayed.set(i, random.nextBoolean());
        }
        BitSet everywhere = new BitSet();
        everywhere.set(0, size);
        StalenessAwareOptimizer mixed =
                StalenessAwareOptimizer.create(one.rule(), one.optimizer(), DecayRanges.without(size, undecayed));
        StalenessAwareOptimizer decayed = one.create(size);
        StalenessAwareOptimizer plain =
                StalenessAwareOptimizer.create(one.rule(), one.optimizer(), DecayRanges.without(size, everywhere));
        float[] ofMixed = StalenessCases.values(random, size);
        float[] ofDecayed = ofMixed.clone();
        float[] ofPlain = ofMixed.clone();
        for (int i = 0; i < CALLS; i++) {
            String worker = "w-" + random.nextInt(3);
            int staleness = random.nextInt(4);
            float[] gradient = StalenessCases.values(random, size);
            float[] base = StalenessCases.values(random, size);
            step(mixed, worker, staleness, gradient.clone(), base, ofMixed);
            step(decayed, worker, staleness, gradient.clone(), base, ofDecayed);
            step(plain, worker, staleness, gradient.clone(), base, ofPlain);
            for (int place = 0; place < size; place++) {
                assertThat(bits(ofMixed[place]))
                        .isEqualTo(bits(undecayed.get(place) ? ofPlain[place] : ofDecayed[place]));
            }
        }
    }

    private static void step(
            StalenessAwareOptimizer optimizer,
            String worker,
            int staleness,
            float[] gradient,
            float[] base,
            float[] parameters) {
        optimizer.arrive(worker, staleness, gradient, base, parameters, 0.1f);
        optimizer.step(worker, parameters, gradient, 0.1f);
    }

    private static int bits(float value) {
        return Float.floatToRawIntBits(value);
    }

    private static float[] without(float[] values, BitSet state) {
        float[] rest = new float[values.length - state.cardinality()];
        int count = 0;
        for (int i = 0; i < values.length; i++) {
            if (!state.get(i)) {
                rest[count++] = values[i];
            }
        }
        return rest;
    }

    private static BitSet without(BitSet undecayed, BitSet state, int size) {
        BitSet rest = new BitSet();
        int count = 0;
        for (int i = 0; i < size; i++) {
            if (!state.get(i)) {
                rest.set(count++, undecayed.get(i));
            }
        }
        return rest;
    }

    @Provide
    Arbitrary<Case> cases() {
        return Arbitraries.of(StalenessCases.all());
    }
}
