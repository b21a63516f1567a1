package org.fleetgrad.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    @Test
    void shouldLetTheComparedTakeTurnsAndKeepEachRoundsValues() throws Exception {
        List<String> order = new ArrayList<>();

        Comparison<String> comparison = Comparison.of(3, List.of("ours", "limit"), each -> {
            order.add(each);
            int round = (order.size() - 1) / 2;
            return each.equals("ours") ? new double[] {10 - round, round} : new double[] {100 * round, -1};
        });

        assertThat(order).containsExactly("ours", "limit", "ours", "limit", "ours", "limit");
        assertThat(comparison.of("ours")).isEqualTo(Values.of(10, 9, 8));
        assertThat(comparison.of("ours", 1)).isEqualTo(Values.of(0, 1, 2));
        assertThat(comparison.of("limit")).isEqualTo(Values.of(0, 100, 200));
        assertThatThrownBy(() -> comparison.of("rival"))
                .hasMessage("rival was not measured; measured were [ours, limit]");
    }

    @Test
    void shouldRefuseNoRounds() {
        assertThatThrownBy(() -> Comparison.of(0, List.of("ours"), each -> new double[1]))
                .hasMessage("there must be 1 round or more; there are 0");
    }
}
