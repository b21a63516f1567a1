package org.fleetgrad.datasets.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class StratifiedSplitPropertyTest {

    private static final int CLASSES = 4;

    @Property(tries = 200)
    void shouldHoldOutTheShareOfEachClass(
            @ForAll @Size(max = 300) List<@IntRange(max = CLASSES - 1) Integer> samples,
            @ForAll @DoubleRange(min = 0.001, max = 0.999) @Scale(3) double share) {
        int[] labels = samples.stream().mapToInt(Integer::intValue).toArray();

        StratifiedSplit split = StratifiedSplit.of(labels, CLASSES, share);

        assertThat(IntStream.concat(Arrays.stream(split.training()), Arrays.stream(split.heldOut())))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, labels.length).boxed().toList());
        for (int label = 0; label < CLASSES; label++) {
            int each = label;
            long count = Arrays.stream(labels).filter(l -> l == each).count();
            long held = Arrays.stream(split.heldOut())
                    .filter(i -> labels[i] == each)
                    .count();
            assertThat(held).isEqualTo(count < 2 ? 0 : Math.max(1, (long) Math.floor(count * share)));
        }
    }

    @Test
    void shouldHoldOutATenthAndTheSameEachTime() {
        int[] labels = IntStream.range(0, 300).map(i -> i / 100).toArray();

        StratifiedSplit split = StratifiedSplit.of(labels, 3, StratifiedSplit.USUAL_SHARE);

        assertThat(split.heldOut())
                .hasSize(30)
                .isEqualTo(StratifiedSplit.of(labels, 3, StratifiedSplit.USUAL_SHARE)
                        .heldOut());
        assertThat(Arrays.stream(split.training()).limit(20).map(i -> labels[i]).distinct())
                .as("sorted files are mixed")
                .hasSizeGreaterThan(1);
        assertThat(StratifiedSplit.of(labels, 3, 0).heldOut()).isEmpty();
        assertThat(StratifiedSplit.of(labels, 3, Math.nextDown(1.0)).training()).hasSize(3);
    }
}
