package org.fleetgrad.runs.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class TrialValuesPropertyTest {

    private static final int MANY = 4000;

    /** The largest distance of two distributions that is as large in one of three million samples of this size (Kolmogorov 1933). */
    private static final double FAR = 2.8 / Math.sqrt(MANY);

    private static List<Variation> variations(String... texts) {
        return Arrays.stream(texts).map(Variation::parse).toList();
    }

    private static double[] sorted(List<List<String>> trials, int option, DoubleUnaryOperator scale) {
        return trials.stream()
                .mapToDouble(values -> scale.applyAsDouble(Double.parseDouble(values.get(option))))
                .sorted()
                .toArray();
    }

    /** The test of Kolmogorov and Smirnov against the even distribution. */
    private static double distance(double[] sorted) {
        double most = 0;
        for (int i = 0; i < sorted.length; i++) {
            most = Math.max(most, Math.abs(sorted[i] - (double) i / sorted.length));
            most = Math.max(most, Math.abs(sorted[i] - (i + 1.0) / sorted.length));
        }
        return most;
    }

    @Property(tries = 10)
    void shouldDrawEvenlyOrWithEqualFactors(@ForAll long seed) {
        List<List<String>> trials =
                TrialValues.drawn(variations("rate=0.001..0.1:log", "momentum=-1.0..3.0", "way=a,b,c,d"), MANY, seed);

        assertThat(distance(sorted(trials, 0, rate -> Math.log(rate / 0.001) / Math.log(100))))
                .isLessThan(FAR);
        assertThat(distance(sorted(trials, 1, momentum -> (momentum + 1) / 4))).isLessThan(FAR);
        for (String way : List.of("a", "b", "c", "d")) {
            assertThat(trials.stream()
                            .filter(values -> values.get(2).equals(way))
                            .count())
                    .as("in %d draws, %s", MANY, way)
                    .isCloseTo(MANY / 4, within(150L));
        }
        // Two options of a trial say nothing of each other.
        double[] products = trials.stream()
                .mapToDouble(values -> (Math.log(Double.parseDouble(values.get(0)) / 0.01) / Math.log(10))
                        * (Double.parseDouble(values.get(1)) - 1))
                .toArray();
        assertThat(Arrays.stream(products).average().orElseThrow()).isCloseTo(0, within(0.06));
    }

    @Property(tries = 50)
    void shouldDrawTheSameForASeedHoweverManyTrialsThereAre(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int count) {
        for (List<Variation> variations : List.of(
                variations("rate=0.001..0.1:log", "size=8..64"),
                variations("size=8..64", "way=a,b,c"),
                variations("width=16..512:log"))) {
            List<List<String>> few = TrialValues.drawn(variations, count, seed);
            List<List<String>> more = TrialValues.drawn(variations, count + 7, seed);

            assertThat(few).hasSize(count).isEqualTo(more.subList(0, count));
        }
    }

    @Property(tries = 50)
    void shouldDrawEachCombinationOnceBeforeItEnds(@ForAll long seed) {
        List<Variation> variations = variations("size=1..5", "way=a,b,c");

        List<List<String>> trials = TrialValues.drawn(variations, 100, seed);

        assertThat(trials).hasSize(15);
        assertThat(new HashSet<>(trials)).isEqualTo(new HashSet<>(TrialValues.drawn(variations, 15, 0)));
    }

    @Property(tries = 20)
    void shouldKeepWholeNumbersInTheirRange(@ForAll long seed) {
        List<Long> widths = TrialValues.drawn(variations("width=1..1000:log"), 900, seed).stream()
                .map(values -> Long.parseLong(values.get(0)))
                .toList();

        assertThat(widths).allMatch(width -> width >= 1 && width <= 1000);
        assertThat(widths).doesNotHaveDuplicates();
        // Half of the logarithms of 1 to 10^9 + 1 lie below its root.
        Choices wide = Variation.parse("width=1..1000000000:log").choices();
        assertThat(wide.at(0.5)).isEqualTo("31622");
        assertThat(wide.at(0)).isEqualTo("1");
        assertThat(wide.at(Math.nextDown(1.0))).isEqualTo("1000000000");
    }

    @Example
    void shouldOrderAGridWithTheLastOptionFastest() {
        assertThat(TrialValues.grid(variations("size=16,32", "rate=0.1..0.3:3"), 6))
                .containsExactly(
                        List.of("16", "0.1"),
                        List.of("16", "0.2"),
                        List.of("16", "0.3"),
                        List.of("32", "0.1"),
                        List.of("32", "0.2"),
                        List.of("32", "0.3"));
    }

    @Example
    void shouldRefuseAGridThatIsTooLargeOrHasNoEnd() {
        assertThatThrownBy(() -> TrialValues.grid(variations("size=16,32", "rate=0.1..0.3:3"), 5))
                .hasMessage("the grid has 6 combinations, and --runs is 5: pass --runs 6, or --method random");
        assertThatThrownBy(() -> TrialValues.grid(variations("rate=0.1..0.3"), 5))
                .hasMessageContaining("needs the values of rate one by one, or their number, such as rate=0.1..0.3:5");
        List<String> huge = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            huge.add("option%s=0.0..1.0:10000".formatted((char) (97 + i)));
        }
        assertThatThrownBy(() -> TrialValues.grid(variations(huge.toArray(String[]::new)), 5))
                .hasMessageContaining("--method random");
    }
}
