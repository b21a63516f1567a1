package org.fleetgrad.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.figures.Values;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FigureTextTest {

    private static final List<Result> RESULTS = List.of(
            Figure.of("pull", "pulls")
                    .ours(12_345.6, "requests/s")
                    .limit(24_691.2, "loopback TCP")
                    .atLeast(15_000),
            Figure.of("ddp", "training")
                    .ours(Values.of(18_000, 18_000, 9_000), "samples/s")
                    .rival(Values.of(9_000, 6_000, 9_000), "PyTorch DDP")
                    .ratioAtLeast(0.85),
            Missing.skipped("ray", "python3 has no ray: pip install ray"),
            Missing.failed("link", "java.io.IOException: gone"));

    @Test
    void shouldShowOneLineForEachFigure() {
        assertThat(FigureText.table(RESULTS)
                        .lines()
                        .map(line -> line.replaceAll(" +", " ").strip()))
                .containsExactly(
                        "what ours rival, limit ratio from, to unit goal the rival or limit is",
                        "pull: pulls 12,346 24,691 0.500 requests/s ≥ 15,000 MISSED loopback TCP",
                        "ddp: training 18,000 9,000 2.00 1.00 to 3.00 samples/s ×≥ 0.850 met PyTorch DDP",
                        "ray skipped: python3 has no ray: pip install ray",
                        "link failed: java.io.IOException: gone");
    }

    @Test
    void shouldWriteTheSameAsMarkdown() {
        assertThat(FigureText.markdown(Map.of("some", RESULTS)).lines())
                .hasSize(6)
                .contains(
                        "| `pull` | pulls | 12,346 | 24,691 | 0.500 |  | requests/s | ≥ 15,000 MISSED | loopback TCP | `some` |",
                        "| `ddp` | training | 18,000 | 9,000 | 2.00 | 1.00 to 3.00 | samples/s | ×≥ 0.850 met | PyTorch DDP | `some` |",
                        "| `ray` | skipped: python3 has no ray: pip install ray | | | | | | | | `some` |");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1234567|1,234,567",
                "123.45|123",
                "12.345|12.3",
                "1.2345|1.23",
                "0.12345|0.123",
                "0.00045871|0.000459",
                "0|0.000"
            })
    void shouldKeepThreeDigitsThatMeanSomething(double value, String text) {
        assertThat(FigureText.number(value)).isEqualTo(text);
    }
}
