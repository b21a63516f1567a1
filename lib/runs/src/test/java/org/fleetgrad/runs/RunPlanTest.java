package org.fleetgrad.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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

class RunPlanTest {

    @TempDir
    private Path folder;

    private final List<String> told = new ArrayList<>();
    private final RunOutput output = new RunOutput() {
        @Override
        public void tell(String line) {
            told.add(line);
        }

        @Override
        public void live(String line) {}

        @Override
        public Duration pace() {
            return Duration.ofDays(1);
        }
    };

    private DataSettings table(String target) throws IOException {
        Path file = folder.resolve("stones.csv");
        StringBuilder rows = new StringBuilder("carat,cut,price\n");
        for (int i = 0; i < 40; i++) {
            rows.append(i * i % 7)
                    .append(i % 2 == 0 ? ",good," : ",fair,")
                    .append(3 * i)
                    .append('\n');
        }
        Files.writeString(file, rows);
        return new DataSettings(
                Optional.of(file),
                FolderOptions.NONE.withTable(TableOptions.of(List.of(target), List.of(), List.of())));
    }

    @Test
    void shouldTellWhatIsReadAndWriteNothing() throws Exception {
        RunPlan.tell(ExampleSettings.of(table("price"), 2), output);

        assertThat(told.get(0))
                .isEqualTo("stones: 36 training and 4 held-out samples, rows of 3 numbers with a number each");
        assertThat(told).anyMatch(line -> line.startsWith("cut ")).anyMatch(line -> line.startsWith("price "));
        assertThat(told)
                .contains(
                        "tabular?categories=none&dropout=0&hidden=128,64&loss=squared&numbers=3: 8,833 parameters, 0.0 MB")
                .last()
                .isEqualTo("each version of the network takes 35,332 bytes");
        assertThat(folder).isDirectoryNotContaining(path -> !path.endsWith("stones.csv"));
    }

    @Test
    void shouldRefuseWhatTheRunWouldRefuse() throws Exception {
        DataSettings wrong = table("colour");

        assertThatThrownBy(() -> RunPlan.tell(ExampleSettings.of(wrong, 2), output))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("colour");
    }
}
