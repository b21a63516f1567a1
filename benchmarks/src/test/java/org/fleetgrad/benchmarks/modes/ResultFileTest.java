package org.fleetgrad.benchmarks.modes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.fleetgrad.benchmarks.page.ResultFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFileTest {

    private static final Cell.Plan PLAN = new Cell.Plan(2, 1, 2);
    private static final Cell FIRST = new Cell(Cell.Mode.SYNC, "none", 2, false);
    private static final Cell SECOND = new Cell(Cell.Mode.SYNC, "none", 4, false);

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void placeFile() {
        file = folder.resolve("partial");
    }

    @Test
    void shouldGoOnAfterTheLastWholeLine() throws Exception {
        ResultFile<Measured> aborted = begin(file, PLAN);
        aborted.add(MeasuredTest.measured(FIRST, 0, 0.98, false));
        Files.writeString(file, "{\"row\":\"sync/no", StandardOpenOption.APPEND);

        ResultFile<Measured> results = goOn(file, PLAN);
        assertThat(results.has(FIRST.name(), 0)).isTrue();
        assertThat(results.has(FIRST.name(), 1)).isFalse();
        assertThat(results.has(SECOND.name(), 0)).isFalse();
        results.add(MeasuredTest.measured(SECOND, 0, 0.97, true));

        assertThat(goOn(file, PLAN).of(SECOND.name())).containsExactly(MeasuredTest.measured(SECOND, 0, 0.97, true));
    }

    @Test
    void shouldRefuseResultsOfAnotherPlan() throws Exception {
        begin(file, PLAN);

        assertThatThrownBy(() -> goOn(file, new Cell.Plan(3, 1, 2)))
                .hasMessageStartingWith(file + " has another plan")
                .hasMessageContaining("\"epochs\":3");
        assertThatThrownBy(() -> goOn(folder.resolve("none"), PLAN))
                .hasMessage("there is nothing to continue: %s is missing".formatted(folder.resolve("none")));
    }

    @Test
    void shouldBeginAnew() throws Exception {
        begin(file, PLAN).add(MeasuredTest.measured(FIRST, 0, 0.98, false));

        assertThat(begin(file, PLAN).has(FIRST.name(), 0)).isFalse();
        assertThat(goOn(file, PLAN).has(FIRST.name(), 0)).isFalse();
    }

    private static ResultFile<Measured> begin(Path file, Cell.Plan plan) throws IOException {
        return ResultFile.open(false, file, plan, Measured.class);
    }

    private static ResultFile<Measured> goOn(Path file, Cell.Plan plan) throws IOException {
        return ResultFile.open(true, file, plan, Measured.class);
    }
}
