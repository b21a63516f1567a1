package org.fleetgrad.testing.cost;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClassCostsTest {

    private final ClassCosts costs = new ClassCosts();

    @Test
    void shouldDivideTimeAmongTheClassesThatRunTogether() {
        costs.begin("A", ofSeconds(2));
        costs.begin("B", ofSeconds(5));
        costs.end("A", ofSeconds(15));
        costs.end("B", ofSeconds(16));
        costs.begin("C", ofSeconds(17));
        costs.end("C", ofSeconds(20));

        assertThat(costs.costs())
                .isEqualTo(Map.of(
                        ClassCosts.BETWEEN, ofSeconds(3), "A", ofSeconds(8), "B", ofSeconds(6), "C", ofSeconds(3)));
    }

    @Test
    void shouldCountAllTimeOnce() {
        costs.begin("A", ofSeconds(1));
        costs.begin("A", ofSeconds(2));
        costs.end("A", ofSeconds(4));
        costs.begin("B", ofSeconds(7));
        costs.end("A", ofSeconds(8));
        costs.end("B", ofSeconds(9));

        assertThat(costs.costs().values().stream().reduce(Duration.ZERO, Duration::plus))
                .isEqualTo(ofSeconds(9));
    }

    @Test
    void shouldAddOwnTimeAndThatOfChildrenThatEnded() {
        String stat = "4711 (a (strange) name) S 1 4711 4711 0 -1 4194560 1 2 3 4 100 20 3000 400 20 0 1 0 5 6 7";

        assertThat(ProcessorTime.parse(stat)).isEqualTo(Duration.ofMillis(35_200));
    }
}
