package org.fleetgrad.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeldOutScoreTest {

    @ParameterizedTest
    @CsvSource({
        "0.9, 0.5, 0.8, 0.4, true",
        "0.8, 0.4, 0.9, 0.5, false",
        "0.9, 0.4, 0.9, 0.5, true",
        "0.9, 0.5, 0.9, 0.5, false",
        "0.9, , 0.9, 0.5, false",
        "0.9, 0.5, 0.9, , false"
    })
    void shouldCompareClassificationsByTheAccuracyAndThenByTheLoss(
            double accuracy, @Nullable Double loss, double other, @Nullable Double otherLoss, boolean isBetter) {
        assertThat(score(accuracy, loss, false).isBetterThan(score(other, otherLoss, false)))
                .isEqualTo(isBetter);
    }

    @Test
    void shouldCompareTextsByTheLossAlone() {
        HeldOutScore small = score(0.4, 1.9, true);
        HeldOutScore large = score(0.6, 2.0, true);

        assertThat(small.isBetterThan(large)).isTrue();
        assertThat(large.isBetterThan(small)).isFalse();
        assertThat(large.distanceTo(small)).isEqualTo(2.0 - 1.9);
        assertThat(small.distanceTo(large)).isEqualTo(1.9 - 2.0);
        assertThat(small.accuracy()).isEmpty();
        assertThat(small.value()).isEqualTo(1.9);
    }

    @Test
    void shouldMeasureDistancesOfAccuracies() {
        assertThat(score(0.5, 1.0, false).distanceTo(score(0.75, 2.0, false))).isEqualTo(0.25);
        assertThat(score(0.5, 1.0, false).value()).isEqualTo(0.5);
    }

    @Test
    void shouldNotCompareWhatIsOfAnotherKind() {
        HeldOutScore text = score(0.9, 0.1, true);
        HeldOutScore image = score(0.1, 9.0, false);

        assertThat(text.isBetterThan(image)).isFalse();
        assertThat(image.isBetterThan(text)).isFalse();
        assertThat(text.distanceTo(image)).isInfinite().isPositive();
        assertThat(image.distanceTo(text)).isInfinite().isPositive();
    }

    @Test
    void shouldHaveNoScoreOfATextWithoutItsLoss() {
        assertThat(HeldOutScore.of(0.5, null, true)).isEmpty();
    }

    private static HeldOutScore score(double accuracy, @Nullable Double loss, boolean isOfText) {
        return HeldOutScore.of(accuracy, loss, isOfText).orElseThrow();
    }
}
