package org.fleetgrad.benchmarks.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class TornTallyTest {

    private static final float[] OLDER = {1, 0, 0, 1};
    private static final float[] NEWER = {2, 0, 0, 2};

    private final TornTally tally = new TornTally(2);

    private TornExperiment.Figure figure() {
        return tally.figure("network", 2, 100);
    }

    private static LiveClient.Answer overlapped(float... logits) {
        return new LiveClient.Answer(7, 8, 0, logits);
    }

    @Test
    void shouldTakeAnAnswerOfEitherVersionAsWhole() {
        tally.add(overlapped(OLDER.clone()), List.of(OLDER, NEWER));
        tally.add(overlapped(NEWER.clone()), List.of(OLDER, NEWER));
        tally.add(new LiveClient.Answer(7, 7, 0, OLDER.clone()), List.of(OLDER));

        assertThat(figure()).isEqualTo(new TornExperiment.Figure("network", 2, 100, 3, 2, 0, 0));
    }

    @Test
    void shouldCountAnAnswerOfNeitherVersionAsTorn() {
        tally.add(overlapped(1.5f, 0, 0, 1.5f), List.of(OLDER, NEWER));
        tally.add(overlapped(OLDER.clone()), List.of(OLDER, NEWER));

        assertThat(figure().torn()).isEqualTo(1);
        assertThat(figure().tornShare()).isCloseTo(0.5, within(1e-9));
        assertThat(figure().overlappedShare()).isCloseTo(1, within(1e-9));
        assertThat(figure().ofNoClass()).isZero();
    }

    @Test
    void shouldSeeADifferenceOfTheLastBitAndInTheSignOfZero() {
        tally.add(overlapped(Math.nextUp(1f), 0, 0, 1), List.of(OLDER, NEWER));
        tally.add(overlapped(1, -0f, 0, 1), List.of(OLDER, NEWER));

        assertThat(figure().torn()).isEqualTo(2);
    }

    @Test
    void shouldCountATornAnswerWhoseClassIsOfNoVersion() {
        tally.add(overlapped(1, 0, 3, 1), List.of(OLDER, NEWER));

        assertThat(figure().ofNoClass()).isEqualTo(1);
    }

    @Test
    void shouldFailIfATornAnswerSaysThatNoLoadCameBetween() {
        assertThatThrownBy(() -> tally.add(new LiveClient.Answer(7, 7, 0, NEWER.clone()), List.of(OLDER)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("version 7");
    }

    @Test
    void shouldRefuseTooFewExactAnswers() {
        assertThatThrownBy(() -> tally.add(overlapped(OLDER.clone()), List.of(OLDER)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("versions 7 to 8 take as many exact answers; there are 1");
    }
}
