package org.fleetgrad.serving.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.policy.VersionPolicy.Candidate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionPolicyTest {

    /** The predecessor of this project kept a version when {@code accuracy < best}, and so ended with the worst. */
    @Test
    void shouldChooseTheHighestAccuracyAndNotTheLowest() {
        List<Candidate> held = held(0.9, 0.99, 0.1, 0.5);

        assertThat(new VersionPolicy.Best().choose(held)).contains(version(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "latest | 0.1 0.9 0.5 | 2",
                "latest | 0.1 0.9 -   | 2",
                "previous | 0.1 0.9 - | 1",
                "previous | 0.1 | 0",
                "best | 0.9 0.9 0.5 | 1",
                "best | - - - | 2",
                "best | - 0.2 - | 1",
                "gate:0.01 | 0.98 0.97 0.5 | 1",
                "gate:0.01 | 0.98 0.969 - | 0",
                "gate:0 | 0.98 0.98 0.97 | 1",
                "gate:0.5 | 0.5 0.98 0.49 0.47 | 2",
                "gate:0.1 | - - | 1",
                "pinned:1 | 0.1 0.2 0.3 | 1",
                "pinned:g-0 | 0.1 0.2 0.3 | 0"
            })
    void shouldChoose(String policy, String accuracies, long chosen) {
        assertThat(VersionPolicy.valueOf(policy).choose(parsed(accuracies, HeldOutScore::ofAccuracy)))
                .contains(version(chosen));
    }

    /** The loss of a text, where less is better: the same version may have the fewest tokens right. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "best | 4.2 1.9 2.5 | 1",
                "best | 1.9 1.9 2.5 | 1",
                "best | - 2.5 - | 1",
                "gate:0.1 | 4.2 1.9 1.99 2.1 | 2",
                "gate:0.1 | 4.2 1.9 2.01 - | 1",
                "gate:0 | 1.9 1.9 2.5 | 1",
                "gate:1 | 1.9 2.9 2.91 | 1",
                "gate:0.1 | - - | 1"
            })
    void shouldChooseOfATextByTheLoss(String policy, String losses, long chosen) {
        assertThat(VersionPolicy.valueOf(policy).choose(parsed(losses, HeldOutScore.ByLoss::new)))
                .contains(version(chosen));
    }

    @Test
    void shouldChooseOfEqualAccuraciesTheSmallerLoss() {
        List<Candidate> held = List.of(
                new Candidate(version(0), HeldOutScore.of(0.9, 0.2, false)),
                new Candidate(version(1), HeldOutScore.of(0.9, 0.3, false)));

        assertThat(new VersionPolicy.Best().choose(held)).contains(version(0));
        assertThat(new VersionPolicy.Gate(0).choose(held)).contains(version(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"latest", "previous", "best", "gate:0.1", "pinned:3"})
    void shouldChooseNothingOfNothing(String policy) {
        assertThat(VersionPolicy.valueOf(policy).choose(List.of())).isEmpty();
        assertThat(VersionPolicy.valueOf(policy).needs(List.of())).isEmpty();
    }

    @Test
    void shouldNeedTheBestVersionForTheGateToo() {
        assertThat(new VersionPolicy.Gate(0.05).needs(held(0.98, 0.5, 0.95, 0.1)))
                .containsExactlyInAnyOrder(version(0), version(2));
        assertThat(new VersionPolicy.Best().needs(held(0.98, 0.5))).containsExactly(version(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"latest", "previous", "best", "gate:0.25", "pinned:3", "pinned:a-b-3"})
    void shouldReadBackItsOwnText(String text) {
        assertThat(VersionPolicy.valueOf(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "worst | a policy is latest, previous, best, pinned:VERSION such as pinned:12, or gate:DIFFERENCE such as gate:0.01; it is 'worst'",
                "gate: | a policy is latest, previous, best, pinned:VERSION such as pinned:12, or gate:DIFFERENCE such as gate:0.01; it is 'gate:'",
                "gate:x | the policy gate takes a difference from 0 to 1, such as gate:0.01, of accuracies, or of a text's losses in nats a token; it is 'x'",
                "gate:1.5 | the policy gate takes a difference from 0 to 1, such as gate:0.01, of accuracies, or of a text's losses in nats a token; it is 1.5",
                "gate:NaN | the policy gate takes a difference from 0 to 1, such as gate:0.01, of accuracies, or of a text's losses in nats a token; it is NaN",
                "pinned:x | a version is a number such as 12, or a generation and a number such as 7c1b-12; it is 'x'",
                "pinned:-3 | a version is a number such as 12, or a generation and a number such as 7c1b-12; it is '-3'"
            })
    void shouldSayWhatToWriteInstead(String text, String message) {
        assertThatThrownBy(() -> VersionPolicy.valueOf(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private static List<Candidate> parsed(String figures, DoubleFunction<HeldOutScore> score) {
        String[] words = figures.trim().split(" +");
        List<Candidate> held = new ArrayList<>();
        for (int i = 0; i < words.length; i++) {
            held.add(new Candidate(
                    version(i),
                    words[i].equals("-") ? Optional.empty() : Optional.of(score.apply(Double.parseDouble(words[i])))));
        }
        return held;
    }

    private static List<Candidate> held(double... accuracies) {
        List<Candidate> held = new ArrayList<>();
        for (int i = 0; i < accuracies.length; i++) {
            held.add(new Candidate(version(i), Optional.of(HeldOutScore.ofAccuracy(accuracies[i]))));
        }
        return held;
    }

    private static ParameterVersion version(long number) {
        return new ParameterVersion("g", number);
    }
}
