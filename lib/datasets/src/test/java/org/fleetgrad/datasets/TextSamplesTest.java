package org.fleetgrad.datasets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.sampling.SplitMix64;
import org.fleetgrad.datasets.text.Tokens;
import org.fleetgrad.networks.Task;
import org.junit.jupiter.api.Test;

class TextSamplesTest {

    private static final int CONTEXT = 3;

    private static Tokens counting(int count) {
        return Tokens.of(IntStream.range(0, count).toArray());
    }

    private static float[] inputs(TextSamples samples, int index, float[] labels) {
        float[] inputs = new float[CONTEXT];
        samples.read(index, inputs, labels, 0);
        return inputs;
    }

    @Test
    void shouldPredictTheNextTokenOfEach() {
        TextSamples samples = TextSamples.heldOut(counting(8), CONTEXT);
        float[] labels = new float[CONTEXT];

        assertThat(inputs(samples, 1, labels)).containsExactly(3, 4, 5);
        assertThat(labels).containsExactly(4, 5, 6);
    }

    @Test
    void shouldFillUpTheLastHeldOutSampleWithLabelsThatDoNotCount() {
        TextSamples samples = TextSamples.heldOut(counting(8), CONTEXT);
        float[] labels = new float[CONTEXT];

        assertThat(samples.count()).isEqualTo(3);
        assertThat(inputs(samples, 2, labels)).containsExactly(6, 0, 0);
        assertThat(labels).containsExactly(7, Task.IGNORED_LABEL, Task.IGNORED_LABEL);
        assertThat(TextSamples.heldOut(counting(7), CONTEXT).count()).isEqualTo(2);
    }

    /** The places are 0, 3, 6 and 9; a window begins at one of them, or at one of the two tokens after it. */
    @Test
    void shouldDrawEachWindowOfTheTextAsOftenAsAnyOther() {
        TextSamples samples = TextSamples.training(counting(16), CONTEXT);
        SortedMap<Integer, Integer> drawn = new TreeMap<>();
        SplitMix64 random = new SplitMix64(1);
        for (int epoch = 0; epoch < 10_000; epoch++) {
            for (int i = 0; i < samples.count(); i++) {
                float[] inputs = new float[CONTEXT];
                float[] labels = new float[CONTEXT];
                samples.draw(i, random.nextLong(), inputs, labels, 0);
                assertThat(labels[2]).isEqualTo((int) inputs[0] + 3);
                drawn.merge((int) inputs[0], 1, Integer::sum);
            }
        }

        assertThat(samples.count()).isEqualTo(4);
        assertThat(drawn.keySet()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
        assertThat(drawn.values()).allSatisfy(count -> assertThat(count).isBetween(3_100, 3_570));
    }

    @Test
    void shouldGiveEachShardSamplesOfTheWholeText() {
        TextSamples samples = TextSamples.training(counting(3_000), CONTEXT);

        for (int from = 0; from < 900; from += 300) {
            TextSamples shard = samples.slice(from, from + 300);
            double mean = IntStream.range(0, shard.tokens().count())
                    .map(shard.tokens()::get)
                    .average()
                    .orElseThrow();
            assertThat(mean).isBetween(1_350.0, 1_650.0);
            assertThat(TextSamples.ofRows(shard.tokens(), CONTEXT).count()).isEqualTo(300);
        }
        assertThat(samples.slice(0, 2).tokens()).isEqualTo(samples.tokens().slice(0, 12));
    }

    @Test
    void shouldRefuseATextThatIsTooShort() {
        assertThatThrownBy(() -> TextSamples.training(counting(5), CONTEXT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a training text has 5 tokens; samples of 3 tokens need at least 6");
        assertThatThrownBy(() -> TextSamples.heldOut(counting(1), CONTEXT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a held-out text has 1 tokens; it needs at least 2");
        assertThatThrownBy(() -> TextSamples.ofRows(counting(7), CONTEXT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("7 tokens are not samples of 3 with as many after them");
    }
}
