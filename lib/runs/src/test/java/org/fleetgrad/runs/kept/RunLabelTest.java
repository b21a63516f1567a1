package org.fleetgrad.runs.kept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunLabelTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                " first",
                "first ",
                "a\nb",
                "a\u001b[31m",
                "a/b",
                "..",
                "-x",
                "a\\b",
                "LAST",
                "best",
                "\u202e"
            })
    void shouldRefuseANameThatIsNotPrintableOrMeansSomethingElse(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RunLabel(Optional.of(name), List.of(), Optional.empty()));
    }

    @Test
    void shouldTakeNamesOfOtherAlphabets() {
        assertThat(new RunLabel(Optional.of("größer 2"), List.of("夜"), Optional.of("x".repeat(400))).name())
                .contains("größer 2");
    }

    @Test
    void shouldRefuseWhatIsTooLong() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RunLabel(Optional.of("x".repeat(101)), List.of(), Optional.empty()))
                .withMessageStartingWith("a name may have 100 characters; this one has 101");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RunLabel(Optional.empty(), List.of(), Optional.of("x".repeat(401))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RunLabel(Optional.empty(), Collections.nCopies(21, "tag"), Optional.empty()))
                .withMessage("a run may have 20 tags; these are 21");
    }

    @Test
    void shouldKeepWhatARunWasCalledBefore() {
        RunLabel earlier = new RunLabel(Optional.of("first"), List.of("night"), Optional.of("why"));

        assertThat(RunLabel.NONE.or(earlier)).isEqualTo(earlier);
        assertThat(new RunLabel(Optional.empty(), List.of("day"), Optional.empty()).or(earlier))
                .isEqualTo(new RunLabel(Optional.of("first"), List.of("day"), Optional.of("why")));
    }
}
