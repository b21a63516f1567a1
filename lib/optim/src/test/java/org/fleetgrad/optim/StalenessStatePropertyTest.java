package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.optim.StalenessCases.Case;

class StalenessStatePropertyTest {

    private static final int CALLS = 24;

    /** T23: after any call, also between the arrivals of one step, a copy of the state continues with the same bits. */
    @Property(tries = 600)
    void shouldGoOnWithSameBitsWhenStateIsRestored(
            @ForAll("cases") Case one,
            @ForAll @IntRange(max = 30) int size,
            @ForAll @IntRange(max = CALLS) int callsBefore,
            @ForAll long seed) {
        Random random = new Random(seed);
        StalenessAwareOptimizer first = one.create(size);
        float[] straight = StalenessCases.values(random, size);
        for (int i = 0; i < callsBefore; i++) {
            call(first, straight, random);
        }
        StalenessAwareOptimizer second = one.create(size);
        // Earlier calls must leave no trace.
        call(second, new float[size], new Random(seed + 1));
        call(second, new float[size], new Random(seed + 2));
        RuleState kept = first.state().copy();
        RuleState untouched = kept.copy();
        second.restore(shuffled(kept, new Random(seed)));
        float[] resumed = straight.clone();
        long rest = random.nextLong();
        Random forFirst = new Random(rest);
        Random forSecond = new Random(rest);
        for (int i = callsBefore; i <= CALLS; i++) {
            call(first, straight, forFirst);
            call(second, resumed, forSecond);
            assertThat(resumed).isEqualTo(straight);
        }
        assertThat(second.workers()).isEqualTo(first.workers());
        assertThat(second.served(resumed, 0.1f)).isEqualTo(first.served(straight, 0.1f));
        assertSame(second.state(), first.state());
        assertSame(kept, untouched);
    }

    /** Returns the state with its names in another order, as a file may give them. */
    private static RuleState shuffled(RuleState state, Random random) {
        List<String> names = new ArrayList<>(state.buffers().keySet());
        Collections.shuffle(names, random);
        Map<String, float[]> buffers = new LinkedHashMap<>();
        names.forEach(name ->
                buffers.put(name, Optional.ofNullable(state.buffers().get(name)).orElseThrow()));
        return new RuleState(state.numbers(), buffers);
    }

    private static void call(StalenessAwareOptimizer optimizer, float[] parameters, Random random) {
        int size = optimizer.size();
        String worker = "w-" + random.nextInt(8);
        float rate = 0.1f * random.nextFloat();
        float[] gradient = StalenessCases.values(random, size);
        float[] base = StalenessCases.values(random, size);
        int what = random.nextInt(10);
        if (what == 0) {
            optimizer.forget(worker);
        } else {
            optimizer.arrive(worker, random.nextInt(4), gradient, base, parameters, rate);
        }
        if (what > 3) {
            optimizer.step(worker, parameters, gradient, rate);
        }
    }

    private static void assertSame(RuleState actual, RuleState expected) {
        assertThat(actual.numbers()).isEqualTo(expected.numbers());
        assertThat(actual.buffers().keySet()).isEqualTo(expected.buffers().keySet());
        expected.buffers()
                .forEach((name, values) ->
                        assertThat(actual.buffers().get(name)).as(name).isEqualTo(values));
    }

    @Provide
    Arbitrary<Case> cases() {
        return Arbitraries.of(StalenessCases.all());
    }
}
