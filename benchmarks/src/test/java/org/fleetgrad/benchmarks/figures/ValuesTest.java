package org.fleetgrad.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ValuesTest {

    @Test
    void shouldTakeTheMiddleOfAnyNumberOfValues() {
        assertThat(Values.of(3, 1, 2).median()).isEqualTo(2);
        assertThat(Values.of(4, 1, 3, 2).median()).isEqualTo(2.5);
        assertThat(Values.of(7).median()).isEqualTo(7);
    }

    @Test
    void shouldKnowItsSpread() {
        assertThat(Values.of(3, 1, 2).least()).isEqualTo(1);
        assertThat(Values.of(3, 1, 2).most()).isEqualTo(3);
        assertThat(Values.of(3, 3).isSpread()).isTrue();
        assertThat(Values.of(3).isSpread()).isFalse();
    }

    @Test
    void shouldDivideTheValuesOfTheSameRound() {
        assertThat(Values.of(10, 60, 24).dividedBy(Values.of(10, 20, 20))).isEqualTo(Values.of(1, 3, 1.2));
        assertThat(Values.of(10, 60).dividedBy(Values.of(20))).isEqualTo(Values.of(0.5, 3));
        assertThat(Values.of(10).dividedBy(Values.of(20, 5))).isEqualTo(Values.of(0.5, 2));
    }

    @Test
    void shouldAddTheValuesOfTheSameRound() {
        assertThat(Values.of(1, 2).plus(Values.of(10, 20))).isEqualTo(Values.of(11, 22));
        assertThat(Values.of(1, 2).minus(Values.of(10, 20))).isEqualTo(Values.of(-9, -18));
        assertThat(Values.of(1, 2).map(value -> value / 2)).isEqualTo(Values.of(0.5, 1));
    }

    @Test
    void shouldRefuseNothingAndOtherRounds() {
        assertThatThrownBy(() -> new Values(List.of())).hasMessage("nothing was measured");
        assertThatThrownBy(() -> Values.of(1, 2).dividedBy(Values.of(1, 2, 3)))
                .hasMessage("2 rounds on one side, 3 on the other");
        assertThatThrownBy(() -> Values.of(1, 2).plus(Values.of(1))).hasMessage("2 rounds on one side, 1 on the other");
    }
}
