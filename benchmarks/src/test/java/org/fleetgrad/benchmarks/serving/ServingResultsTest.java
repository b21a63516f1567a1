package org.fleetgrad.benchmarks.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServingResultsTest {

    private static final ServingResults RESULTS = new ServingResults(
            Optional.of(new Places(
                    List.of(
                            new Places.Figure(
                                    "replica", "latest", 1, 4_500, 6_000, 900, 1.01, 12.5, 1_000, 0, 0.97, 40, true),
                            new Places.Figure(
                                    "ensemble", "", 96, 3_000, 6_000, 300, 250, 400, 200, 50, 0.98, 9, false)),
                    List.of(new Places.Votes(1, 3_200, 16)),
                    List.of(0.965))),
            List.of(new GapExperiment.Figure(64, 16, 32_768, 4, 0.0525, 0.08, 0.95)),
            List.of(new TornExperiment.Figure("lenet5", 1, 240, 10_000, 300, 120, 2)));

    @TempDir
    private Path folder;

    @Test
    void shouldShowEachFigure() {
        assertThat(RESULTS.markdown("").lines())
                .contains(
                        "| replica | latest | 1 | 4,500 | 0.75 | 900 | 1.01 | 12.5 | 0.00% | 97.00% | 40 | yes |",
                        "| ensemble |  | 96 | 3,000 | 0.50 | 300 | 250 | 400 | 25.00% | 98.00% | 9 | no |",
                        "| 1 | 3,200 | 0.50% |",
                        "| 64 | 16 | 32,768 | 5.25% | 8.00% | 4 | 95.00% |",
                        "| lenet5 | 1 | 240 | 10,000 | 3.00% | 120 | 1.20% | 2 |");
    }

    @Test
    void shouldReplaceTheMeasuredPartAndWriteThePicturesBesideThePage() throws Exception {
        Path page = folder.resolve("experiments.md");

        RESULTS.writePage("- a machine\n", page);
        String once = Files.readString(page);
        RESULTS.writePage("- a machine\n", page);

        assertThat(Files.readString(page)).isEqualTo(once).contains("- a machine", "(experiments-places.svg)");
        assertThat(folder.resolve("experiments-places.svg")).content().contains("replica");
        assertThat(folder.resolve("experiments-policies.svg")).exists();
        assertThat(folder.resolve("experiments-disagreement.svg")).content().contains("64 batches a version");
    }

    @Test
    void shouldWriteWhatWasMeasuredForPrograms() throws Exception {
        new ServingResults(Optional.empty(), List.of(), RESULTS.torn()).writeFiles(folder);

        assertThat(folder.resolve("torn.csv")).hasContent("""
                network,images,stepsPerSecond,answers,overlapped,torn,ofNoClass
                lenet5,1,240.0,10000,300,120,2
                """);
        assertThat(folder.resolve("results.json")).content().contains("\"torn\" : 120");
        assertThat(folder.resolve("places.csv")).doesNotExist();
    }
}
