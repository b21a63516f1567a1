package org.fleetgrad.benchmarks.modes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartialResultsTest {

    private static final Plan PLAN = Plan.of(2, 1, 2);
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
        PartialResults aborted = PartialResults.begin(file, PLAN);
        aborted.add(PageTest.measured(FIRST, 0, 0.98, false));
        Files.writeString(file, "{\"cell\":\"sync/no", StandardOpenOption.APPEND);

        PartialResults results = PartialResults.goOn(file, PLAN);
        assertThat(results.has(FIRST, 0)).isTrue();
        assertThat(results.has(FIRST, 1)).isFalse();
        assertThat(results.has(SECOND, 0)).isFalse();
        results.add(PageTest.measured(SECOND, 0, 0.97, true));

        assertThat(PartialResults.goOn(file, PLAN).of(SECOND))
                .containsExactly(PageTest.measured(SECOND, 0, 0.97, true));
    }

    @Test
    void shouldRefuseResultsOfAnotherPlan() throws Exception {
        PartialResults.begin(file, PLAN);

        assertThatThrownBy(() -> PartialResults.goOn(file, Plan.of(3, 1, 2)))
                .hasMessageStartingWith(file + " has another plan")
                .hasMessageContaining("\"epochs\":3");
        assertThatThrownBy(() -> PartialResults.goOn(folder.resolve("none"), PLAN))
                .hasMessage("there is nothing to continue: %s is missing".formatted(folder.resolve("none")));
    }

    @Test
    void shouldBeginAnew() throws Exception {
        PartialResults.begin(file, PLAN).add(PageTest.measured(FIRST, 0, 0.98, false));

        assertThat(PartialResults.begin(file, PLAN).has(FIRST, 0)).isFalse();
        assertThat(PartialResults.goOn(file, PLAN).has(FIRST, 0)).isFalse();
    }
}
