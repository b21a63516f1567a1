package org.fleetgrad.runs.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.table.TableOptions;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.settings.DataSettings;
import org.fleetgrad.runs.settings.ExampleSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResumedRowsTest {

    @TempDir
    private Path folder;

    private DataSettings table(int rows) throws IOException {
        StringBuilder lines = new StringBuilder("carat,price\n");
        for (int i = 0; i < rows; i++) {
            lines.append(i * i % 7).append(',').append(3 * i).append('\n');
        }
        Path file = Files.writeString(folder.resolve("stones.csv"), lines);
        return new DataSettings(
                Optional.of(file),
                FolderOptions.NONE.withTable(TableOptions.of(List.of("price"), List.of(), List.of())));
    }

    /** More rows have another mean: the same number would mean something else. */
    @Test
    void shouldRefuseAnotherTableThanThatOfTheRun() throws Exception {
        Path run = folder.resolve("run");
        PreparedDataset.prepare(ExampleSettings.of(table(40), 1), run.resolve("shards"), RunOutput.SILENT);

        assertThat(PreparedDataset.prepare(
                                ExampleSettings.resumed(run, table(40)), run.resolve("shards"), RunOutput.SILENT)
                        .train())
                .isEqualTo(36);
        DataSettings more = table(50);
        assertThatThrownBy(() -> PreparedDataset.prepare(
                        ExampleSettings.resumed(run, more), run.resolve("shards"), RunOutput.SILENT))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("the table stones is not that of the run")
                .hasMessageContaining("--from");
    }
}
