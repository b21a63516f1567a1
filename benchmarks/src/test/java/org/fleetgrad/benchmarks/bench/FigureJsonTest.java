package org.fleetgrad.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.figures.Values;
import org.junit.jupiter.api.Test;

class FigureJsonTest {

    private static final Figure LIMITED =
            Figure.of("pull", "pulls").ours(12_345.678, "requests/s").limit(3, "loopback TCP");

    @Test
    void shouldWriteFiguresByTheirNamesOnOneLine() {
        assertThat(FigureJson.of(List.of(
                        LIMITED.atLeast(15_000),
                        Figure.of("ray", "push").ours(250, "µs").rival(Values.of(1_000), "Ray"),
                        Missing.skipped("ddp", "there is no python3"))))
                .isEqualTo("{\"pull\":{\"what\":\"pulls\",\"ours\":12345.7,\"limit\":3,\"ratio\":4115.23,"
                        + "\"unit\":\"requests/s\",\"against\":\"loopback TCP\",\"goal\":\"ours ≥ 15000\",\"met\":false},"
                        + "\"ray\":{\"what\":\"push\",\"ours\":250,\"rival\":1000,\"ratio\":0.25,\"unit\":\"µs\","
                        + "\"against\":\"Ray\"},"
                        + "\"ddp\":{\"skipped\":\"there is no python3\"}}");
    }

    @Test
    void shouldWriteTheValuesOfAllRounds() {
        Figure noisy =
                Figure.of("pull", "pulls").ours(Values.of(10, 60, 24), "ms").limit(Values.of(10, 20, 20), "x");

        assertThat(FigureJson.of(List.of(noisy)))
                .contains("\"ours\":24,\"limit\":20,\"ratio\":1.2,")
                .contains("\"rounds\":{\"limit\":[10,20,20],\"ours\":[10,60,24],\"ratio\":[1,3,1.2]}");
    }

    @Test
    void shouldRefuseDuplicateNamesAndInfiniteValues() {
        assertThatThrownBy(() -> FigureJson.of(List.of(LIMITED, LIMITED))).hasMessage("two figures have the name pull");
        Figure broken = Figure.of("pull", "pulls").ours(1, "requests/s").limit(0, "nothing");
        assertThatThrownBy(() -> FigureJson.of(List.of(broken))).hasMessage("a figure is Infinity");
    }
}
