package org.fleetgrad.datasets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.sampling.SplitMix64;
import org.fleetgrad.datasets.text.Tokens;
import org.junit.jupiter.api.Test;

class TextSamplesTest {

    private static final int CONTEXT = 3;

    private static Tokens counting(int count) {
        return Tokens.of(IntStream.range(0, count).toArray());
    }

    private static float[] inputs(TextSamples samples, int index, int[] labels) {
        float[] inputs = new float[CONTEXT];
        samples.read(index, inputs, labels, 0);
        return inputs;
    }

    @Test
    void shouldPredictTheNextTokenOfEach() {
        TextSamples samples = TextSamples.training(counting(8), CONTEXT);
        int[] labels = new int[CONTEXT];

        assertThat(samples.count()).isEqualTo(2);
        assertThat(inputs(samples, 1, labels)).containsExactly(3, 4, 5);
        assertThat(labels).containsExactly(4, 5, 6);
    }

    @Test
    void shouldFillUpTheLastHeldOutSampleWithLabelsThatDoNotCount() {
        TextSamples samples = TextSamples.heldOut(counting(8), CONTEXT);
        int[] labels = new int[CONTEXT];

        assertThat(samples.count()).isEqualTo(3);
        assertThat(inputs(samples, 2, labels)).containsExactly(6, 0, 0);
        assertThat(labels).containsExactly(7, TextSamples.IGNORED, TextSamples.IGNORED);
    }

    @Test
    void shouldCutIntoShardsThatPredictEachTokenOnce() {
        TextSamples whole = TextSamples.training(counting(12), CONTEXT);
        TextSamples first = whole.slice(0, 2);
        TextSamples second = whole.slice(2, 3);

        assertThat(first.tokens()).isEqualTo(counting(7));
        assertThat(first.count()).isEqualTo(2);
        assertThat(second.tokens().get(0)).isEqualTo(6);
        assertThat(second.tokens().count()).as("with what is left out").isEqualTo(6);
        assertThat(second.count()).isEqualTo(1);
    }

    /** A text of 8 tokens has 5 windows of 3 with a next token. */
    @Test
    void shouldDrawEachWindowAsOftenAsAnyOther() {
        TextSamples samples = TextSamples.training(counting(8), CONTEXT);
        SortedMap<Integer, Integer> drawn = new TreeMap<>();
        SplitMix64 random = new SplitMix64(1);
        for (int i = 0; i < 50_000; i++) {
            float[] inputs = new float[CONTEXT];
            int[] labels = new int[CONTEXT];
            samples.draw(random.nextLong(), inputs, labels, 0);
            assertThat(labels[2]).isEqualTo((int) inputs[0] + 3);
            drawn.merge((int) inputs[0], 1, Integer::sum);
        }

        assertThat(drawn.keySet()).containsExactly(0, 1, 2, 3, 4);
        assertThat(drawn.values()).allSatisfy(count -> assertThat(count).isBetween(9_500, 10_500));
        samples.draw(-1, new float[CONTEXT], new int[CONTEXT], 0);
        samples.draw(0, new float[CONTEXT], new int[CONTEXT], 0);
    }

    @Test
    void shouldRefuseATextThatIsShorterThanAWindow() {
        assertThatThrownBy(() -> TextSamples.training(counting(3), CONTEXT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a training text has 3 tokens; samples of 3 tokens need at least 4");
        assertThatThrownBy(() -> TextSamples.heldOut(counting(1), CONTEXT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a held-out text has 1 tokens; samples of 3 tokens need at least 2");
    }
}
