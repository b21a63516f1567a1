package org.fleetgrad.benchmarks.modes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CellTest {

    @Test
    void shouldCrossModesRulesWorkersAndKills() {
        List<Cell> all = Cell.all();

        assertThat(all).hasSize((1 + 1 + 2 + 7) * 3 * 2 + 4 * 2).doesNotHaveDuplicates();
        assertThat(all).extracting(Cell::name).doesNotHaveDuplicates();
    }

    @Test
    void shouldBeFoundByTheBeginningOfItsName() {
        Cell cell = new Cell(Cell.Mode.ASYNC, "gap-aware", 8, true);

        assertThat(cell.name()).isEqualTo("async/gap-aware/8/kills");
        assertThat(List.of("async", "async/gap-aware", "async/*/8", "*/*/*/kills", "async/gap-aware/8/kills"))
                .allMatch(cell::matches);
        assertThat(List.of("ssp", "async/none", "asyn", "*/*/2", "", "async/gap-aware/8/kills/more"))
                .noneMatch(cell::matches);
    }

    @Test
    void shouldHaveTheDefaultsOfTheCommandLine() {
        Cell cell = new Cell(Cell.Mode.DEFAULTS, "look-ahead", 16, false);

        assertThat(Cell.all()).contains(cell);
        assertThat(cell.settings()).containsEntry("PS_MODE", "async").containsEntry("PS_STALENESS", "look-ahead");
        assertThat(cell.parameters()).containsExactly(Map.entry("clip_norm", 2.0));
        assertThat(new Cell(Cell.Mode.ASYNC, "look-ahead", 8, false).parameters())
                .isEmpty();
    }

    @Test
    void shouldNameItsModeAsTheServerDoes() {
        assertThat(new Cell(Cell.Mode.BACKUP, "none", 4, false).settings())
                .containsEntry("PS_MODE", "sync:backup-workers=1");
        assertThat(new Cell(Cell.Mode.SSP, "gap-aware", 4, false).settings())
                .containsEntry("PS_MODE", "ssp:max-lead=3")
                .containsEntry("PS_STALENESS", "gap-aware")
                .containsEntry("PS_LEASE", "1000ms")
                .containsEntry("PS_OPTIMIZER", "sgd:momentum=0.9");
    }
}
