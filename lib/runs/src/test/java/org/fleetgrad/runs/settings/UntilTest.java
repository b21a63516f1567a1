package org.fleetgrad.runs.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UntilTest {

    @ParameterizedTest
    @ValueSource(strings = {"1", "500", "1.5e", "20e", "0.125e", "123456789e", "999999999999999"})
    void shouldWriteWhatItReads(String text) {
        assertThat(Until.parse(text)).hasToString(text);
        assertThat(Until.parse(Until.parse(text).toString())).isEqualTo(Until.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0e", "-1", "1.5", "e", "1e5", "NaN", "", "1ee", "9999999999999999999"})
    void shouldRefuseOtherTexts(String text) {
        assertThatThrownBy(() -> Until.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldTakeAPartOfTheWay() {
        assertThat(Until.step(100).over(9)).isEqualTo(Until.step(12));
        assertThat(Until.step(99).over(9)).isEqualTo(Until.step(11));
        assertThat(Until.step(2).over(3)).isEqualTo(Until.step(1));
        assertThat(Until.epochs(20).over(9)).hasToString("2.22222e");
        assertThat(Until.parse(Until.epochs(1).over(81).toString()))
                .isEqualTo(Until.epochs(1).over(81));
    }
}
