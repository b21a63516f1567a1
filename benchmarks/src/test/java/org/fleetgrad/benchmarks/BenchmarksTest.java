package org.fleetgrad.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchmarksTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine command = Benchmarks.commandLine();
        return command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    }

    @Test
    void shouldExplainEveryOptionAndExitCode() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "--json", "--only", "--rounds", "--list", "--write", "modes", "serving", "Exit codes:", "130");
    }

    @Test
    void shouldListWhatThereIsToMeasureEachOnce() {
        assertThat(run("--list")).isZero();
        assertThat(out.toString().lines().map(line -> line.split(" ")[0]))
                .doesNotHaveDuplicates()
                .contains(
                        "getVersion",
                        "pull-100mb",
                        "push-pull-247kb",
                        "kernels",
                        "text",
                        "pipeline",
                        "training",
                        "first-model",
                        "link",
                        "ray");
    }

    @Test
    void shouldSayWhatAFirstModelNeeds() {
        assertThat(run("--only", "first-model", "--rounds", "1")).isZero();
        assertThat(out.toString())
                .contains("first-model", "skipped: write --mnist DIR, a folder with MNIST's IDX files");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rounds 0|--rounds must be from 1 to 100; it is 0",
                "--rounds 101|--rounds must be from 1 to 100; it is 101",
                "--only luck|--only luck is not a measurement; the measurements are getVersion, getParameter, ",
                "--rounds many|many",
                "everything|everything",
                "modes --data . --epochs 0|--epochs must be 1 or more; it is 0",
                "pipeline-table|there is nothing to train on: write --mnist DIR, --cifar10 DIR or both, or --tinyshakespeare DIR",
                "pipeline-table --mnist . --tinyshakespeare .|write --tinyshakespeare without --mnist and --cifar10",
                "pipeline-table --mnist . --max-steps -1|--max-steps must be 0 or more; it is -1",
                "serving --seed -1|--seed must be 0 or more; it is -1",
                "serving --quick --write page.md|--write replaces all tables, so it goes with neither --only nor --quick",
                "serving --only torn --write page.md|--write replaces all tables",
                "serving --only luck|luck"
            })
    void shouldRefuseAWrongCommandLine(String arguments, String message) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }
}
