package org.fleetgrad.runs.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.messages.TextFigures;
import org.fleetgrad.runs.ExampleStatus;
import org.fleetgrad.runs.settings.PatienceSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An epoch has 1,000 samples, a step 10. */
class PatienceTest {

    private static final TextFigures TEXT = new TextFigures(64, 2.5);

    private final Patience patience = new Patience(Optional.of(new PatienceSettings(2, 0)));

    @Test
    void shouldEndAfterSoManyEpochsWithoutABetterEvaluation() {
        assertThat(look(patience, 100, null, null)).isFalse();
        assertThat(look(patience, 200, 100L, 0.5)).isFalse();
        assertThat(look(patience, 300, 200L, 0.7)).isFalse();
        assertThat(look(patience, 390, 300L, 0.7)).as("as good is not better").isFalse();
        assertThat(look(patience, 399, 390L, 0.69)).isFalse();
        assertThat(look(patience, 410, 399L, 0.6)).as("1.99 epochs").isFalse();
        assertThat(look(patience, 500, 410L, 0.6)).isTrue();
        assertThat(patience.text()).isEqualTo("no evaluation in 2.10 epochs was better than that of version 200");
    }

    @Test
    void shouldBeginAnewWithEachBetterEvaluation() {
        for (long version = 100; version <= 2000; version += 150) {
            assertThat(look(patience, version, version, version / 4000.0)).isFalse();
        }
    }

    /** An evaluation that takes many epochs says nothing of the versions since. */
    @Test
    void shouldCountWhatWasEvaluatedAndNotWhatWasTrainedMeanwhile() {
        assertThat(look(patience, 100, 100L, 0.5)).isFalse();
        for (long version = 110; version <= 5000; version += 10) {
            assertThat(look(patience, version, 100L, 0.5)).isFalse();
        }
        assertThat(look(patience, 5010, 250L, 0.4))
                .as("1.5 epochs after the best")
                .isFalse();
        assertThat(look(patience, 9000, 5000L, 0.4)).isTrue();
    }

    @Test
    void shouldNotTakeALittleForAnImprovement() {
        Patience strict = new Patience(Optional.of(new PatienceSettings(1, 0.01)));

        assertThat(look(strict, 100, 100L, 0.500)).isFalse();
        assertThat(look(strict, 150, 150L, 0.509)).isFalse();
        assertThat(look(strict, 200, 200L, 0.5099)).isTrue();
        assertThat(strict.text())
                .isEqualTo("no evaluation in 1.00 epochs was better by more than 0.01 than that of version 100");
        assertThat(look(strict, 210, 210L, 0.52)).isFalse();
    }

    @Test
    void shouldTakeTheSmallerLossOfAText() {
        Patience ofText = new Patience(Optional.of(new PatienceSettings(1, 0.05)));

        assertThat(ofText.look(status("g", 100, 100L, 0.1, 2.0, TEXT))).isFalse();
        assertThat(ofText.look(status("g", 190, 190L, 0.2, 1.96, TEXT))).isFalse();
        assertThat(ofText.look(status("g", 195, 195L, 0.2, 1.94, TEXT))).isFalse();
        assertThat(ofText.look(status("g", 296, 296L, 0.9, 1.93, TEXT))).isTrue();
    }

    @Test
    void shouldGoOnAfterARollback() {
        assertThat(look(patience, 500, 500L, 0.9)).isFalse();
        assertThat(patience.look(status("h", 100, 90L, 0.5, null, null))).isFalse();
        assertThat(patience.look(status("h", 600, 600L, 0.5, null, null))).isFalse();
        assertThat(patience.look(status("h", 700, 700L, 0.5, null, null))).isTrue();
    }

    @Test
    void shouldNeverEndARunThatHasNone() {
        Patience none = new Patience(Optional.empty());

        for (long version = 0; version < 10_000; version += 100) {
            assertThat(look(none, version, version, 0.5)).isFalse();
        }
    }

    @Test
    void shouldRefuseWhatIsNoPatience() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PatienceSettings(0, 0))
                .withMessage("the patience must be above 0 epochs; it is 0.0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PatienceSettings(1, Double.NaN))
                .withMessage("the smallest improvement must be 0 or more; it is NaN");
    }

    private static boolean look(Patience patience, long version, @Nullable Long evaluated, @Nullable Double accuracy) {
        return patience.look(status("g", version, evaluated, accuracy, null, null));
    }

    private static StatusReply status(
            String generation,
            long version,
            @Nullable Long evaluated,
            @Nullable Double accuracy,
            @Nullable Double heldOutLoss,
            @Nullable TextFigures text) {
        StatusReply.Work work = new StatusReply.Work("mnist", 20, 6, 1000, version * 10, 0, 2, false);
        return new ExampleStatus(generation, version, version * 10, evaluated, accuracy, null, heldOutLoss, text, work)
                .reply();
    }
}
