package org.fleetgrad.benchmarks.configurations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.fleetgrad.benchmarks.page.ResultFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipelineProcessTest {

    private static final Configuration STALE = new Configuration("pipeline/stale", "mnist", "mnist-cnn", 2);
    private static final Configuration DDP = new Configuration("pipeline/ddp", "mnist", "mnist-cnn", 2);
    private static final PipelineProcess.Plan PLAN = new PipelineProcess.Plan(1, 20, "threads", "bytes");

    @TempDir
    private Path folder;

    @Test
    void shouldReadLastLineOfStdout() {
        Trained trained = PipelineProcess.answer(
                "a",
                3,
                0,
                "first\n{\"accuracy\":0.97,\"samplesPerSecond\":1200.5,\"bubble\":0.1,\"staleness\":[0.9,0.0]}\n",
                "",
                Measure.ACCURACY);

        assertThat(trained)
                .isEqualTo(new Trained("a", 3, "", Measure.ACCURACY, 0.97, 1200.5, 0.1, 0, List.of(0.9, 0.0)));
    }

    @Test
    void shouldHaveNoBubbleWithoutStages() {
        Trained trained = PipelineProcess.answer(
                "a", 1, 0, "{\"accuracy\":0.97,\"samplesPerSecond\":1,\"staleness\":[]}", "", Measure.ACCURACY);

        assertThat(trained.bubble()).isEqualTo(-1);
        assertThat(trained.isWhole()).isTrue();
    }

    @Test
    void shouldTellWhyRunFailed() {
        assertThat(PipelineProcess.answer("a", 1, 4, "", "the loss is NaN", Measure.ACCURACY)
                        .failure())
                .isEqualTo("exit code 4: the loss is NaN");
        assertThat(PipelineProcess.answer("a", 1, 0, "no result", "", Measure.ACCURACY)
                        .failure())
                .isEqualTo("exit code 0: no result");
    }

    @Test
    void shouldShowMediansAndFailuresOfTheConfigurationsThatWereTrained() throws Exception {
        ResultFile<Trained> runs = open(false, folder.resolve("partial"), PLAN);
        runs.add(new Trained(STALE.name(), 1, "", Measure.ACCURACY, 0.91, 1000, 0.2, 0, List.of(1.0, 0.0)));
        runs.add(new Trained(STALE.name(), 2, "", Measure.ACCURACY, 0.95, 3000, 0.4, 0, List.of(0.8, 0.0)));
        runs.add(new Trained(STALE.name(), 3, "", Measure.ACCURACY, 0.94, 2000, 0.3, 0, List.of(0.9, 0.0)));
        runs.add(Trained.failed(DDP.name(), 1, Measure.ACCURACY, "exit code 4: a | b"));

        String table = Trained.table(
                List.of(STALE, DDP, new Configuration("pipeline/ws", "mnist", "mnist-cnn", 4)), runs, Measure.ACCURACY);

        assertThat(table.lines())
                .hasSize(4)
                .contains(
                        "| mnist | mnist-cnn | `stale` | 2 | 3 of 3 | 94.00% | 91.00 to 95.00 | 2,000 | 30.0% |  | 0.90, 0.00 |",
                        "| mnist | mnist-cnn | `ddp` | 2 | 0 of 1 | | | | | | seed 1: exit code 4: a / b |");
    }

    @Test
    void shouldShowLossesOfTexts() throws Exception {
        Configuration tied = new Configuration("gpt2/tied/ws", "tinyshakespeare", Configuration.OF_RECIPE, 4);
        ResultFile<Trained> runs = open(false, folder.resolve("partial"), PLAN);
        runs.add(PipelineProcess.answer(
                tied.name(),
                1,
                0,
                "{\"heldOutLoss\":2.4567,\"accuracy\":0.3,\"samplesPerSecond\":340,\"bubble\":0.5,\"peakMiB\":[512.4,700.6],\"staleness\":[2.98,1.99,1,0]}",
                "",
                Measure.LOSS));

        assertThat(Trained.table(List.of(tied), runs, Measure.LOSS).lines())
                .contains(
                        "| dataset | network | recipe | stages | seeds | loss | from, to | samples/s | bubble | MiB | staleness of each stage |",
                        "| tinyshakespeare | gpt2 | `tied/ws` | 4 | 1 of 1 | 2.457 | 2.457 to 2.457 | 340 | 50.0% | 701 | 2.98, 1.99, 1.00, 0.00 |");
    }

    @Test
    void shouldContinueAfterTornLine() throws Exception {
        Path file = folder.resolve("partial");
        open(false, file, PLAN).add(new Trained(STALE.name(), 1, "", Measure.ACCURACY, 0.9, 1, 0, 0, List.of()));
        Files.writeString(file, "{\"row\":", StandardOpenOption.APPEND);

        ResultFile<Trained> continued = open(true, file, PLAN);

        assertThat(continued.has(STALE.name(), 1)).isTrue();
        assertThat(continued.has(STALE.name(), 2)).isFalse();
        assertThatIOException()
                .isThrownBy(() -> open(true, file, new PipelineProcess.Plan(2, 20, "threads", "bytes")))
                .withMessageContaining("has another plan");
    }

    @Test
    void shouldTrainEveryRecipeOfTheCheckoutWithEveryNumberOfStages() throws Exception {
        List<Configuration> all = Configuration.all(Path.of(".."), "pipeline", "mnist", "mnist-cnn", List.of(2, 4));

        assertThat(all)
                .extracting(Configuration::name)
                .contains("mnist/mnist-cnn/pipeline/ws_msnag_ga/4", "mnist/mnist-cnn/pipeline/seq/1");
        assertThat(all.stream().filter(row -> row.recipeName().equals("seq"))).hasSize(1);
        assertThat(all.stream().filter(row -> row.recipeName().equals("stale"))).hasSize(2);
    }

    private static ResultFile<Trained> open(boolean isContinued, Path file, PipelineProcess.Plan plan)
            throws IOException {
        return ResultFile.open(isContinued, file, plan, Trained.class);
    }
}
