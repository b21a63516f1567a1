package org.fleetgrad.benchmarks.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WorkerAnswersTest {

    private static WorkerAnswers of(float... logits) {
        return new WorkerAnswers(logits, 2);
    }

    @Test
    void shouldNameTheClassOfTheLargestLogit() {
        WorkerAnswers answers = new WorkerAnswers(new float[] {1, 3, 2, -2, -3, -2}, 3);

        assertThat(answers.classOf(0)).isEqualTo(1);
        assertThat(answers.classOf(1)).isZero();
    }

    @Test
    void shouldDisagreeWhereTheClassesDiffer() {
        WorkerAnswers one = of(1, 0, 0, 1, 1, 0, 0, 1);
        WorkerAnswers other = of(5, 0, 1, 0, 2, 1, 0, 9);

        assertThat(one.disagreement(other)).isCloseTo(0.25, within(1e-9));
        assertThat(other.disagreement(one)).isCloseTo(0.25, within(1e-9));
        assertThat(one.disagreement(one)).isZero();
    }

    @Test
    void shouldCountRightAnswers() {
        assertThat(of(1, 0, 0, 1, 1, 0, 0, 1).accuracy(new int[] {0, 1, 1, 1})).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void shouldCompareEachBit() {
        assertThat(of(1, 0).isSame(of(1, 0))).isTrue();
        assertThat(of(1, 0).isSame(of(Math.nextUp(1f), 0))).isFalse();
        assertThat(of(1, 0).isSame(of(1, -0f))).isFalse();
    }

    @Test
    void shouldRefuseAnswersThatCannotBeCompared() {
        assertThatThrownBy(() -> of(1, 0).disagreement(of(1, 0, 1, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("answers about 1 images cannot be compared with answers about 2");
        assertThatThrownBy(() -> of(1, 0, 1)).hasMessage("3 logits are not those of images with 2 classes each");
    }
}
