package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.optim.Aggregation.Krum;
import org.fleetgrad.optim.Aggregation.Median;
import org.fleetgrad.optim.Aggregation.TrimmedMean;

/** The papers' guarantees for steps with fewer Byzantine workers than a rule tolerates. */
class AggregationPropertyTest {

    private static final float BAD = 1e20f;

    @Property(tries = 300)
    void shouldStayAmongTheValuesOfGoodWorkers(
            @ForAll @IntRange(min = 1, max = 4) int bad,
            @ForAll @IntRange(min = 1, max = 40) int length,
            @ForAll long seed) {
        Random random = new Random(seed);
        List<float[]> good = good(random, 2 * bad + 3, length);
        List<float[]> all = new ArrayList<>(good);
        for (int i = 0; i < bad; i++) {
            float[] worst = new float[length];
            for (int at = 0; at < length; at++) {
                worst[at] = random.nextBoolean() ? BAD : -BAD;
            }
            all.add(worst);
        }
        Collections.shuffle(all, random);

        for (Aggregation rule : List.of(new Median(), new TrimmedMean(bad), new Krum(bad))) {
            float[] result = rule.combine(copies(all));
            for (int at = 0; at < length; at++) {
                int place = at;
                double least =
                        good.stream().mapToDouble(values -> values[place]).min().orElseThrow();
                double most =
                        good.stream().mapToDouble(values -> values[place]).max().orElseThrow();
                assertThat((double) result[at]).as(rule.toString()).isBetween(least, most);
            }
        }
    }

    @Property(tries = 300)
    void shouldNotDependOnTheOrderOfTheGradients(
            @ForAll @IntRange(min = 3, max = 9) int count,
            @ForAll @IntRange(min = 1, max = 40) int length,
            @ForAll long seed) {
        Random random = new Random(seed);
        List<float[]> all = good(random, count, length);
        List<float[]> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, random);

        for (Aggregation rule : List.of(new Median(), new TrimmedMean(1), new Aggregation.Mean())) {
            assertThat(rule.combine(copies(shuffled))).as(rule.toString()).containsExactly(rule.combine(copies(all)));
        }
        assertThat(shuffled)
                .as("Krum takes one as it is")
                .anySatisfy(one -> assertThat(one).containsExactly(new Krum(1).combine(copies(shuffled))));
    }

    @Property(tries = 100)
    void shouldLeaveALoneGradientAsItIs(@ForAll float value) {
        for (Aggregation rule : List.of(new Median(), new TrimmedMean(1), new Krum(1), new Aggregation.Mean())) {
            assertThat(Float.floatToRawIntBits(rule.combine(List.of(new float[] {value}))[0]))
                    .isEqualTo(Float.floatToRawIntBits(value));
        }
    }

    private static List<float[]> good(Random random, int count, int length) {
        List<float[]> gradients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            float[] values = new float[length];
            for (int at = 0; at < length; at++) {
                values[at] = (float) random.nextGaussian();
            }
            gradients.add(values);
        }
        return gradients;
    }

    private static List<float[]> copies(List<float[]> gradients) {
        return gradients.stream().map(float[]::clone).toList();
    }
}
