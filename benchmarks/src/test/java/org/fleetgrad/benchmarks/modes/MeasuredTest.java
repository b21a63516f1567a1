package org.fleetgrad.benchmarks.modes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.benchmarks.page.ResultFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredTest {

    private static final Cell CALM = new Cell(Cell.Mode.SYNC, "none", 2, false);
    private static final Cell KILLS = new Cell(Cell.Mode.ASYNC, "gap-aware", 8, true);

    @TempDir
    private Path folder;

    @Test
    void shouldShowMediansOfTheCellsThatWereMeasured() throws Exception {
        ResultFile<Measured> results =
                ResultFile.open(false, folder.resolve("partial"), new Cell.Plan(2, 1, 3), Measured.class);
        results.add(measured(CALM, 0, 0.97, false));
        results.add(measured(CALM, 1, 0.99, false));
        results.add(measured(CALM, 2, 0.98, false));
        results.add(measured(KILLS, 0, 0.1135, true));

        String table = Measured.table(List.of(CALM, KILLS, new Cell(Cell.Mode.SSP, "none", 4, false)), results);

        assertThat(table.lines())
                .hasSize(4)
                .contains(
                        "| sync | none | 2 | 0 | 98.00% | 10.0 | 12,000 | 1.50 | 7 | 3,760 | 12 | 17 |",
                        "| async | gap-aware | 8 | 17 of 57 | 11.35% diverged | 10.0 | 12,000 | 1.50 | 7 | 3,760 | 12 | 17 |");
    }

    static Measured measured(Cell cell, int repeat, double accuracy, boolean isDiverged) {
        return new Measured(
                cell.name(),
                repeat,
                isDiverged,
                accuracy,
                10,
                120_000,
                1.5,
                7,
                3760,
                12,
                17,
                57,
                cell.isKilling() ? 17 : 0);
    }
}
