package org.fleetgrad.ensemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.fleetgrad.ensemble.Poll.Ballot.Choice;
import org.junit.jupiter.api.Test;

class VoteTest {

    private static List<Choice> choices(double[]... probabilities) {
        return Arrays.stream(probabilities)
                .map(each -> {
                    int best = each[0] >= each[1] && each[0] >= each[2] ? 0 : each[1] >= each[2] ? 1 : 2;
                    return new Choice(List.of("cat", "dog", "owl").get(best), best, each);
                })
                .toList();
    }

    /** Two members slightly prefer dog, one is sure of cat. */
    private static final List<Choice> DIVIDED =
            choices(new double[] {0.45, 0.55, 0}, new double[] {0.45, 0.55, 0}, new double[] {1, 0, 0});

    @Test
    void shouldTakeTheClassOfMost() {
        Vote.Outcome outcome = Vote.MAJORITY.of(DIVIDED);

        assertThat(outcome.label()).isEqualTo("dog");
        assertThat(outcome.index()).isEqualTo(1);
        assertThat(outcome.disagreed()).isEqualTo(1);
        assertThat(outcome.probabilities()).containsExactly(new double[] {1.9 / 3, 1.1 / 3, 0}, within(1e-12));
    }

    @Test
    void shouldTakeTheMostProbableClassInTheMean() {
        Vote.Outcome outcome = Vote.MEAN.of(DIVIDED);

        assertThat(outcome.label()).isEqualTo("cat");
        assertThat(outcome.disagreed()).isEqualTo(2);
    }

    @Test
    void shouldBreakATieByTheMean() {
        Vote.Outcome outcome = Vote.MAJORITY.of(choices(new double[] {0.6, 0.4, 0}, new double[] {0.1, 0.9, 0}));

        assertThat(outcome.label()).isEqualTo("dog");
        assertThat(outcome.disagreed()).isEqualTo(1);
    }

    @Test
    void shouldAnswerAsTheOneMemberThatThereIs() {
        for (Vote vote : Vote.values()) {
            Vote.Outcome outcome = vote.of(choices(new double[] {0.1, 0.2, 0.7}));
            assertThat(outcome.label()).isEqualTo("owl");
            assertThat(outcome.disagreed()).isZero();
        }
    }

    /** No member predicts dog, but all find it nearly as probable. */
    @Test
    void shouldNameAClassByItsNumberIfNobodyNamedIt() {
        Vote.Outcome outcome = Vote.MEAN.of(choices(new double[] {0.51, 0.49, 0}, new double[] {0, 0.49, 0.51}));

        assertThat(outcome.index()).isEqualTo(1);
        assertThat(outcome.label()).isEqualTo("1");
        assertThat(outcome.disagreed()).isEqualTo(2);
    }
}
