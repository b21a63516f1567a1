package org.fleetgrad.runs.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VariationTest {

    @Test
    void shouldReadListsAndRanges() {
        assertThat(Variation.parse("momentum=0.8,0.9").choices()).isEqualTo(new Choices.Listed(List.of("0.8", "0.9")));
        assertThat(Variation.parse("--optimizer=adamw:beta1=0.9,beta2=0.98;sgd").choices())
                .isEqualTo(new Choices.Listed(List.of("adamw:beta1=0.9,beta2=0.98", "sgd")));
        assertThat(Variation.parse("learning-rate=0.003..0.1:log").choices())
                .isEqualTo(new Choices.Reals(0.003, 0.1, true));
        assertThat(Variation.parse("weight-decay=-1e-3...5").choices()).isEqualTo(new Choices.Reals(-1e-3, 0.5, false));
        assertThat(Variation.parse("batch-size=8..64").choices()).isEqualTo(new Choices.Wholes(8, 64, false));
        assertThat(Variation.parse("data=../one,../two").choices())
                .isEqualTo(new Choices.Listed(List.of("../one", "../two")));
    }

    @Test
    void shouldSpaceAsManyValuesAsAreAskedFor() {
        assertThat(Variation.parse("learning-rate=0.001..0.1:log:3").choices())
                .isEqualTo(new Choices.Listed(List.of("0.001", "0.01", "0.1")));
        assertThat(Variation.parse("label-smoothing=0..0.4:5").choices())
                .isEqualTo(new Choices.Listed(List.of("0", "0.1", "0.2", "0.3", "0.4")));
        assertThat(Variation.parse("batch-size=8..128:log:5").choices())
                .isEqualTo(new Choices.Listed(List.of("8", "16", "32", "64", "128")));
        assertThat(Variation.parse("workers=1..3:9").choices()).isEqualTo(new Choices.Listed(List.of("1", "2", "3")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "momentum|'momentum': write OPTION=VALUES",
                "=1,2|'=1,2': write OPTION=VALUES",
                "Momentum=1,2|write OPTION=VALUES",
                "momentum=|momentum: a value must be printable and not blank",
                "momentum=0.8,,0.9|a value must be printable and not blank; one of '0.8,,0.9' is not",
                "momentum=0.8,0.8|momentum: the value '0.8' is there twice",
                "rate=0.1..0.003|a range begins with its lower end; it is 0.1..0.003: write 0.003..0.1",
                "rate=1..1|a range begins with its lower end",
                "rate=0..0.1:log|a range with :log begins above 0, since it has no logarithm there; it begins at 0",
                "rate=-1..0.1:log|it begins at -1",
                "rate=0.1..NaN|'0.1..NaN' is no range: write LOW..HIGH with two numbers",
                "rate=..0.1|'..0.1' is no range",
                "rate=0.1..|'0.1..' is no range",
                "rate=1..2..3|'1..2..3' is no range",
                "rate=0.1..1e999|the ends of a range must be finite, and whole ones up to 2^53; they are 0.1 and 1e999",
                "rate=-1.7e308..1.7e308|the ends of a range must be finite",
                "rate=0..99999999999999999|the ends of a range must be finite, and whole ones up to 2^53",
                "rate=0.1..1:lin|a range may end with :log, and with a number of values such as :5; it ends with ':lin'",
                "rate=0.1..1:log:log|it ends with ':log'",
                "rate=0.1..1:1|a range has 2 values or more, its ends; 1 are asked for",
                "rate=0.1..1:1000000|an option may have 10,000 values; these are 1,000,000"
            })
    void shouldRefuseWhatIsNoVariation(String text, String message) {
        assertThatThrownBy(() -> Variation.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
