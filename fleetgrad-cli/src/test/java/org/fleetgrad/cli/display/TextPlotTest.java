package org.fleetgrad.cli.display;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.fleetgrad.reports.chart.Chart.Point;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextPlotTest {

    private static final List<Point> RISING = List.of(new Point(0, 0), new Point(1000, 1));
    private static final List<Point> FALLING = List.of(new Point(0, 1), new Point(1000, 0));

    @Test
    void shouldDrawAStarWhereLinesMeet() {
        List<String> rows = new TextPlot("accuracy", 40, true)
                .draw(List.of("first", "second"), List.of(RISING, RISING))
                .lines()
                .toList();

        assertThat(rows.subList(1, 13)).allMatch(row -> row.contains("*") && !row.contains("A") && !row.contains("B"));
    }

    @Test
    void shouldDrawALetterForEachLine() {
        List<String> rows = new TextPlot("accuracy", 40, true)
                .draw(List.of("first", "second"), List.of(RISING, FALLING))
                .lines()
                .toList();

        assertThat(rows).hasSize(16);
        assertThat(rows.get(0)).isEqualTo("accuracy");
        assertThat(rows.get(1)).startsWith("100.0% |B").endsWith("A").hasSize(40);
        assertThat(rows.get(12)).startsWith("  0.0% |A").endsWith("B").hasSize(40);
        assertThat(rows.get(13)).startsWith("        0").endsWith("1,000").hasSize(40);
        assertThat(rows.subList(14, 16)).containsExactly("A first", "B second");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 31, 57, 80, 132, 10_000})
    void shouldBeNoWiderThanTheTerminal(int columns) {
        String plot = new TextPlot("a title that is longer than what a narrow terminal shows", columns, false)
                .draw(List.of("x".repeat(300)), List.of(RISING));

        assertThat(plot.lines()).allSatisfy(row -> assertThat(row).hasSizeLessThanOrEqualTo(Math.max(30, columns)));
    }

    @Test
    void shouldDrawAPointAloneAndSayThatThereIsNone() {
        assertThat(new TextPlot("loss", 40, false).draw(List.of("a"), List.of(List.of(new Point(5, 2)))))
                .contains("A", "2.000");
        assertThat(new TextPlot("loss", 40, false).draw(List.of("a"), List.of(List.of())))
                .isEqualTo("loss: no points yet");
    }
}
