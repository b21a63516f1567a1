package org.fleetgrad.serving.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
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
        assertThat(VersionPolicy.valueOf(policy).choose(parsed(accuracies))).contains(version(chosen));
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
                "gate:x | the policy gate takes a difference of accuracies from 0 to 1, such as gate:0.01; it is 'x'",
                "gate:1.5 | the policy gate takes a difference of accuracies from 0 to 1, such as gate:0.01; it is 1.5",
                "gate:NaN | the policy gate takes a difference of accuracies from 0 to 1, such as gate:0.01; it is NaN",
                "pinned:x | a version is a number such as 12, or a generation and a number such as 7c1b-12; it is 'x'",
                "pinned:-3 | a version is a number such as 12, or a generation and a number such as 7c1b-12; it is '-3'"
            })
    void shouldSayWhatToWriteInstead(String text, String message) {
        assertThatThrownBy(() -> VersionPolicy.valueOf(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private static List<Candidate> parsed(String accuracies) {
        String[] words = accuracies.trim().split(" +");
        List<Candidate> held = new ArrayList<>();
        for (int i = 0; i < words.length; i++) {
            held.add(new Candidate(
                    version(i),
                    words[i].equals("-") ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(words[i]))));
        }
        return held;
    }

    private static List<Candidate> held(double... accuracies) {
        List<Candidate> held = new ArrayList<>();
        for (int i = 0; i < accuracies.length; i++) {
            held.add(new Candidate(version(i), OptionalDouble.of(accuracies[i])));
        }
        return held;
    }

    private static ParameterVersion version(long number) {
        return new ParameterVersion("g", number);
    }
}
