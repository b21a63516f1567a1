package org.fleetgrad.runs.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.runs.kept.Measure;
import org.fleetgrad.runs.kept.MeasureKind;
import org.fleetgrad.runs.search.RungResult.Standing;
import org.fleetgrad.runs.settings.Until;

class RungTest {

    private static Standing trial(int number, double accuracy) {
        return new Standing(number, true, Optional.of(new Measure(MeasureKind.ACCURACY, accuracy, 7)), 1);
    }

    /** The example of Li et al. 2020 (ASHA), table 1: 9 configurations, eta 3, from 1 to 9. */
    @Example
    void shouldHaveTheRungsOfThePaper() {
        assertThat(Rung.halving(9, 3, Until.epochs(9))).containsExactly(new Rung(9, 9), new Rung(3, 3), new Rung(1, 1));
        assertThat(Rung.halving(16, 3, Until.epochs(20)))
                .containsExactly(new Rung(16, 9), new Rung(5, 3), new Rung(1, 1));
        assertThat(Rung.halving(8, 2, Until.step(100)))
                .containsExactly(new Rung(8, 8), new Rung(4, 4), new Rung(2, 2), new Rung(1, 1));
        assertThat(Rung.halving(5, 3, Until.epochs(1))).containsExactly(new Rung(5, 3), new Rung(1, 1));
        assertThat(Rung.halving(2, 3, Until.epochs(1))).containsExactly(new Rung(2, 1));
        // Less than a step cannot be trained.
        assertThat(Rung.halving(81, 3, Until.step(10)))
                .containsExactly(new Rung(81, 9), new Rung(27, 3), new Rung(9, 1));
    }

    /** Each rung costs about as much as any other: one eta-th of the trials for eta times as long. */
    @Property
    void shouldShareOutTheBudget(
            @ForAll @IntRange(min = 1, max = 10_000) int trials, @ForAll @IntRange(min = 2, max = 10) int eta) {
        List<Rung> rungs = Rung.halving(trials, eta, Until.epochs(3));

        assertThat(rungs.get(0).trials()).isEqualTo(trials);
        assertThat(rungs.get(rungs.size() - 1).divisor()).isEqualTo(1);
        assertThat(rungs.get(rungs.size() - 1).trials()).isBetween(1, trials < eta ? trials : eta - 1);
        for (int i = 1; i < rungs.size(); i++) {
            assertThat(rungs.get(i).trials()).isEqualTo(rungs.get(i - 1).trials() / eta);
            assertThat(rungs.get(i).divisor() * eta).isEqualTo(rungs.get(i - 1).divisor());
        }
    }

    @Example
    void shouldPromoteTheBestAndOfEqualOnesTheEarlier() {
        RungResult result = RungResult.of(
                List.of(trial(1, 0.5), trial(2, 0.9), trial(3, 0.7), trial(4, 0.7), trial(5, 0.9), trial(6, 0.1)), 3);

        assertThat(result.winners()).containsExactly(2, 5, 3);
        assertThat(result.standings()).extracting(Standing::trial).containsExactly(2, 5, 3, 4, 1, 6);
    }

    @Example
    void shouldPromoteNoTrialThatFailedOrHasNoResult() {
        RungResult result = RungResult.of(
                List.of(
                        new Standing(1, false, Optional.of(new Measure(MeasureKind.LOSS, 0.01, 7)), 1),
                        new Standing(2, true, Optional.empty(), 1),
                        new Standing(3, true, Optional.of(new Measure(MeasureKind.LOSS, 0.7, 7)), 1),
                        new Standing(4, true, Optional.of(new Measure(MeasureKind.LOSS, 0.6, 7)), 1)),
                3);

        assertThat(result.winners()).containsExactly(4, 3);
        assertThat(RungResult.of(List.of(new Standing(1, true, Optional.empty(), 1)), 1)
                        .winners())
                .isEmpty();
    }

    /** What trains on follows from the scores, not from the order in which trials are listed. */
    @Property
    void shouldNotDependOnTheOrderOfTheTrials(@ForAll @IntRange(min = 1, max = 30) int count, @ForAll long seed) {
        Random random = new Random(seed);
        List<Standing> trials = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            trials.add(trial(i, random.nextInt(5) / 10.0));
        }
        RungResult first = RungResult.of(trials, (count + 2) / 3);
        Collections.shuffle(trials, random);

        assertThat(RungResult.of(trials, (count + 2) / 3)).isEqualTo(first);
    }
}
