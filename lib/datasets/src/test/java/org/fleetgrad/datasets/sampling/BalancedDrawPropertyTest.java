package org.fleetgrad.datasets.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BalancedDrawPropertyTest {

    private static int[] labels(List<Integer> classes) {
        return classes.stream().mapToInt(each -> each).toArray();
    }

    /** A worker that takes over a shard at any sample draws what its predecessor would have drawn. */
    @Property(tries = 300)
    void shouldDrawTheSameWhereverItBegins(
            @ForAll @Size(min = 1, max = 200) List<@IntRange(max = 5) Integer> classes,
            @ForAll long seed,
            @ForAll @IntRange(max = 1000) int epoch,
            @ForAll @IntRange(max = 200) int cursor,
            @ForAll @IntRange(min = 1, max = 50) int otherBatch) {
        int[] labels = labels(classes);
        int from = Math.min(cursor, labels.length);
        int[] whole = BatchSampler.balanced(labels, 30, 8, seed).epoch(epoch).samples(0, labels.length);

        int[] rest =
                BatchSampler.balanced(labels, 30, otherBatch, seed).epoch(epoch).samples(from, labels.length - from);

        assertThat(rest)
                .isEqualTo(
                        IntStream.range(from, whole.length).map(i -> whole[i]).toArray());
        assertThat(whole).hasSize(labels.length);
        assertThat(IntStream.of(whole)).allMatch(sample -> sample >= 0 && sample < labels.length);
    }

    /**
     * Over many epochs each class that is there has its share, and each sample of a class its own. A share has a standard error of
     * at most sqrt(0.25 / draws), of which these are five.
     */
    @Property(tries = 20)
    void shouldDrawEachClassAndEachSampleEquallyOften(
            @ForAll @Size(min = 20, max = 200) List<@IntRange(max = 3) Integer> classes, @ForAll long seed) {
        int[] labels = labels(classes);
        int epochs = 20_000 / labels.length;
        int[] bySample = new int[labels.length];
        BatchSampler sampler = BatchSampler.balanced(labels, 0, 8, seed);
        for (int epoch = 0; epoch < epochs; epoch++) {
            for (int sample : sampler.epoch(epoch).samples(0, labels.length)) {
                bySample[sample]++;
            }
        }
        double draws = (double) epochs * labels.length;
        double error = 5 * Math.sqrt(0.25 / draws);
        long there = IntStream.of(labels).distinct().count();
        for (int label = 0; label <= 3; label++) {
            int wanted = label;
            int[] samples = IntStream.range(0, labels.length)
                    .filter(i -> labels[i] == wanted)
                    .toArray();
            double share = IntStream.of(samples).map(i -> bySample[i]).sum() / draws;
            assertThat(share).isCloseTo(samples.length == 0 ? 0 : 1.0 / there, within(error));
            for (int sample : samples) {
                assertThat(bySample[sample] / draws).isCloseTo(1.0 / there / samples.length, within(error));
            }
        }
    }

    @Test
    void shouldDrawOtherSamplesInAnotherEpochShardOrRun() {
        int[] labels = IntStream.range(0, 100).map(i -> i % 10 == 0 ? 1 : 0).toArray();
        int[] first = BatchSampler.balanced(labels, 0, 100, 7).epoch(0).batch(0);

        assertThat(BatchSampler.balanced(labels, 0, 100, 7).epoch(1).batch(0)).isNotEqualTo(first);
        assertThat(BatchSampler.balanced(labels, 100, 100, 7).epoch(0).batch(0)).isNotEqualTo(first);
        assertThat(BatchSampler.balanced(labels, 0, 100, 8).epoch(0).batch(0)).isNotEqualTo(first);
    }

    @Test
    void shouldTakeShardsThatLackClasses() {
        assertThat(BatchSampler.balanced(new int[] {4, 4, 4}, 0, 3, 1).epoch(0).batch(0))
                .hasSize(3);
        assertThat(BatchSampler.balanced(new int[] {9, 2}, 0, 2, 1).epoch(0).batch(0))
                .hasSize(2);
        assertThatThrownBy(() -> BatchSampler.balanced(new int[0], 0, 3, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
