package org.fleetgrad.reports.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ScaleTest {

    @Test
    void shouldEndAtRoundNumbers() {
        Scale scale = Axis.linear("s").scale(DoubleStream.of(0.3, 9.7));

        assertThat(scale.ticks()).containsExactly(0.0, 2.0, 4.0, 6.0, 8.0, 10.0);
        assertThat(scale.place(5)).isEqualTo(0.5);
        assertThat(scale.text(4)).isEqualTo("4");
    }

    @Test
    void shouldEndAtTheLastValueIfAsked() {
        Scale scale = Axis.linear("s").scale(DoubleStream.of(0, 31.6)).endingAt(31.6);

        assertThat(scale.place(31.6)).isEqualTo(1);
        assertThat(scale.ticks()).containsExactly(0.0, 10.0, 20.0, 30.0);
    }

    @Test
    void shouldWriteAsManyDecimalsAsTheTicksNeed() {
        Scale scale = Axis.linear("s").scale(DoubleStream.of(0.13));

        assertThat(scale.ticks()).hasSizeBetween(3, 8);
        assertThat(scale.ticks().stream().map(scale::text))
                .doesNotHaveDuplicates()
                .contains("0.10");
    }

    @Test
    void shouldShowHighSharesFromNinetyPercent() {
        Scale high = Axis.percent("accuracy").scale(DoubleStream.of(0.95, 0.99));

        assertThat(high.text(high.ticks().get(0))).isEqualTo("90%");
        assertThat(high.place(0.95)).isCloseTo(0.5, within(1e-9));
        assertThat(Axis.percent("accuracy").scale(DoubleStream.of(0.1, 0.9)).place(0.5))
                .isCloseTo(0.5, within(1e-9));
    }

    @Test
    void shouldGiveEqualFactorsEqualDistances() {
        Scale scale = Axis.log("ms").scale(DoubleStream.of(0.12, 80));

        assertThat(scale.place(10) - scale.place(1)).isCloseTo(scale.place(1) - scale.place(0.1), within(1e-9));
        assertThat(scale.ticks().stream().map(scale::text)).containsExactly("0.1", "1", "10", "100");
        assertThat(scale.place(0)).isZero();
    }

    @Test
    void shouldWriteTicksBetweenPowersOfTenIfValuesAreClose() {
        Scale scale = Axis.log("ms").scale(DoubleStream.of(1.2, 7));

        assertThat(scale.ticks().stream().map(scale::text)).containsExactly("1", "2", "5", "10");
    }

    @Test
    void shouldHaveARangeForOneValueAndForNone() {
        assertThat(Axis.linear("s").scale(DoubleStream.of(0)).place(0)).isZero();
        assertThat(Axis.log("ms").scale(DoubleStream.of(3)).place(3)).isBetween(0.0, 1.0);
        assertThat(Axis.log("ms").scale(DoubleStream.empty()).ticks()).isNotEmpty();
    }
}
