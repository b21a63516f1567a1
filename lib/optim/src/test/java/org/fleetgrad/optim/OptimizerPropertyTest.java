package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;

class OptimizerPropertyTest {

    private static final int STEPS = 4;

    @Property(tries = 200)
    void shouldGiveSameBitsWhenRangesAreAppliedByThreads(
            @ForAll("settings") OptimizerSettings settings,
            @ForAll @IntRange(max = 5000) int size,
            @ForAll @IntRange(min = 1, max = 6) int pieces,
            @ForAll Random random) {
        float[] whole = values(random, size);
        float[] split = whole.clone();
        Optimizer ofWhole = Optimizer.create(settings, size);
        Optimizer ofSplit = Optimizer.create(settings, size);
        for (int i = 0; i < STEPS; i++) {
            float[] gradient = values(random, size);
            ofWhole.step(whole, gradient, 0.01f * i);
            int[] cuts = cuts(random, size, pieces);
            Optimizer.Step step = ofSplit.beginStep(0.01f * i);
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, pieces).boxed().toList());
            Collections.shuffle(order, random);
            order.parallelStream().forEach(piece -> step.apply(split, gradient, cuts[piece], cuts[piece + 1]));
        }
        assertThat(split).isEqualTo(whole);
        assertSameState(ofSplit.state(), ofWhole.state());
    }

    @Property(tries = 200)
    void shouldGoOnWithSameBitsWhenStateIsRestored(
            @ForAll("settings") OptimizerSettings settings,
            @ForAll @IntRange(max = 100) int size,
            @ForAll @IntRange(max = STEPS) int stepsBefore,
            @ForAll Random random) {
        float[] straight = values(random, size);
        Optimizer first = Optimizer.create(settings, size);
        for (int i = 0; i < stepsBefore; i++) {
            first.step(straight, values(random, size), 0.1f);
        }
        float[] resumed = straight.clone();
        Optimizer second = Optimizer.create(settings, size);
        // Earlier steps must leave no trace.
        second.step(new float[size], values(random, size), 0.5f);
        second.restore(first.state());
        for (int i = 0; i < STEPS; i++) {
            float[] gradient = values(random, size);
            first.step(straight, gradient, 0.1f);
            second.step(resumed, gradient, 0.1f);
        }
        assertThat(resumed).isEqualTo(straight);
        assertSameState(second.state(), first.state());
    }

    @Property(tries = 200)
    void shouldMoveNothingWhenLearningRateIsZero(
            @ForAll("settings") OptimizerSettings settings,
            @ForAll @IntRange(max = 50) int size,
            @ForAll Random random) {
        float[] parameters = values(random, size);
        float[] before = parameters.clone();
        Optimizer optimizer = Optimizer.create(settings, size);
        for (int i = 0; i < STEPS; i++) {
            optimizer.step(parameters, values(random, size), 0);
        }
        assertThat(parameters).isEqualTo(before);
        assertThat(optimizer.state().steps()).isEqualTo(STEPS);
    }

    private static void assertSameState(OptimizerState actual, OptimizerState expected) {
        assertThat(actual.steps()).isEqualTo(expected.steps());
        assertThat(actual.buffers().keySet()).isEqualTo(expected.buffers().keySet());
        expected.buffers()
                .forEach((name, values) ->
                        assertThat(actual.buffers().get(name)).as(name).isEqualTo(values));
    }

    private static float[] values(Random random, int size) {
        float[] values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    /** Returns 0, {@code pieces - 1} sorted places in between, which may be equal, and {@code size}. */
    private static int[] cuts(Random random, int size, int pieces) {
        return IntStream.concat(
                        IntStream.of(0, size), IntStream.range(1, pieces).map(i -> random.nextInt(size + 1)))
                .sorted()
                .toArray();
    }

    @Provide
    Arbitrary<OptimizerSettings> settings() {
        Arbitrary<Float> shares = Arbitraries.of(0f, 0.1f, 0.5f, 0.9f, 0.999f);
        Arbitrary<Float> decays = Arbitraries.of(0f, 0.01f, 0.3f);
        Arbitrary<Boolean> flags = Arbitraries.of(true, false);
        Arbitrary<OptimizerSettings> sgd = Combinators.combine(shares, shares, flags, decays)
                .as((momentum, dampening, flag, decay) -> {
                    boolean isNesterov = flag && momentum > 0 && dampening == 0;
                    return new SgdSettings(momentum, dampening, isNesterov, decay);
                });
        Arbitrary<OptimizerSettings> adam = Combinators.combine(shares, shares, decays, flags)
                .as((beta1, beta2, decay, flag) -> new AdamSettings(beta1, beta2, 1e-8f, decay, flag));
        Arbitrary<OptimizerSettings> adamW = Combinators.combine(shares, shares, decays, flags)
                .as((beta1, beta2, decay, flag) -> new AdamWSettings(beta1, beta2, 1e-8f, decay, flag));
        return Arbitraries.oneOf(sgd, adam, adamW);
    }
}
