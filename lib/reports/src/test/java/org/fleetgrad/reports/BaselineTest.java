package org.fleetgrad.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class BaselineTest {

    private static final RunTarget TARGET = new RunTarget.Accuracy(0.98);

    @TempDir
    private Path folder;

    private void write(String invoker) throws Exception {
        Report report = new Report(
                ExampleReport.result(null),
                Map.of("invoker", invoker),
                0,
                Prices.NONE,
                null,
                null,
                null,
                List.of(),
                List.of(ExampleReport.row("worker-1", ActivationRow.ANSWERED, null)));
        Files.write(folder.resolve("report.json"), JsonMapper.shared().writeValueAsBytes(report));
    }

    @Test
    void shouldReadWhatARunOnOneMachineLeft() throws Exception {
        write("local");

        assertThat(Baseline.read(folder, "mnist", TARGET, new Prices(null, null, 36.0, "USD")))
                .isEqualTo(new Baseline(
                        0.981,
                        0.0625,
                        20,
                        15.0,
                        38400,
                        1920,
                        null,
                        4,
                        0.2,
                        folder.resolve("report.json").toString()));
    }

    @Test
    void shouldRefuseARunThatCannotBeCompared() throws Exception {
        write("docker");
        assertThatThrownBy(() -> Baseline.read(folder, "mnist", TARGET, Prices.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "of a run whose workers were of invoker docker; a baseline is of one machine: local");

        write("local");
        assertThatThrownBy(() -> Baseline.read(folder, "digits", TARGET, Prices.NONE))
                .hasMessageContaining("its dataset is mnist, this run's digits");
        assertThatThrownBy(() -> Baseline.read(folder, "mnist", new RunTarget.Accuracy(0.99), Prices.NONE))
                .hasMessageContaining("its target is 98.00%, this run's 99.00%");
        assertThatThrownBy(() -> Baseline.read(folder, "mnist", new RunTarget.Loss(1.88), Prices.NONE))
                .hasMessageContaining("its target is 98.00%, this run's a held-out loss of 1.8800");
    }

    @Test
    void shouldRefuseWhatIsNoReport() throws Exception {
        assertThatThrownBy(() -> Baseline.read(folder, "mnist", TARGET, Prices.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not a run's report");

        Files.writeString(folder.resolve("report.json"), "{");
        assertThatThrownBy(() -> Baseline.read(folder, "mnist", TARGET, Prices.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not a run's report");
    }

    @Test
    void shouldWriteTheRestOfAnAnswerBesideAnActivationsOwnFigures() {
        assertThat(JsonMapper.shared().writeValueAsString(ExampleReport.row("worker-1", ActivationRow.ANSWERED, null)))
                .contains("\"invoker\":\"worker-1\"", "\"counted\":320", "\"bytes\":5000000", "\"lost\":0")
                .doesNotContain("figures", "\"why\"");
    }
}
