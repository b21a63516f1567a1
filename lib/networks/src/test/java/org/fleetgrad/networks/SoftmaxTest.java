package org.fleetgrad.networks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class SoftmaxTest {

    private static final Offset<Float> ROUNDING = Offset.offset(1e-6f);

    @Test
    void shouldComputeTheDefinition() {
        double sum = Math.exp(1) + Math.exp(2) + Math.exp(-3);

        assertThat(Softmax.probabilities(new float[] {1, 2, -3}))
                .containsExactly(
                        new float[] {
                            (float) (Math.exp(1) / sum), (float) (Math.exp(2) / sum), (float) (Math.exp(-3) / sum)
                        },
                        ROUNDING);
    }

    @RepeatedTest(50)
    void shouldSumToOneAndKeepTheOrder(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        float[] logits = new float[1 + random.nextInt(300)];
        for (int i = 0; i < logits.length; i++) {
            logits[i] = (float) (30 * random.nextGaussian());
        }

        float[] probabilities = Softmax.probabilities(logits);

        double sum = 0;
        for (float probability : probabilities) {
            assertThat(probability).isBetween(0f, 1f);
            sum += probability;
        }
        assertThat(sum).isCloseTo(1, Offset.offset(1e-5));
        for (int i = 1; i < logits.length; i++) {
            assertThat(Float.compare(probabilities[i], probabilities[i - 1]) * Float.compare(logits[i], logits[i - 1]))
                    .isNotNegative();
        }
    }

    @Test
    void shouldNotOverflowOnHugeLogits() {
        assertThat(Softmax.probabilities(new float[] {Float.MAX_VALUE, Float.MAX_VALUE, -Float.MAX_VALUE}))
                .containsExactly(new float[] {0.5f, 0.5f, 0}, ROUNDING);
        assertThat(Softmax.probabilities(new float[] {-1e30f, -1e30f, -1e30f, -1e30f}))
                .containsExactly(new float[] {0.25f, 0.25f, 0.25f, 0.25f}, ROUNDING);
    }

    @Test
    void shouldBeCertainOfTheOnlyClass() {
        assertThat(Softmax.probabilities(new float[] {-7})).containsExactly(1f);
    }
}
