package org.fleetgrad.cli.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.cli.failure.OneLineErrors;
import org.fleetgrad.runs.kept.RecordedRun;
import org.fleetgrad.tools.command.DurationConverter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RunsCommandTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void trainThree() throws Exception {
        ExampleRuns runs = new ExampleRuns(folder);
        runs.train("low", "lenet5", 0.5, Map.of("learningRate", 0.1), "night");
        runs.train("high", "resnet20?classes=10", 0.75, Map.of("learningRate", 0.01), "night", "best");
        RecordedRun running = runs.begin("now", Map.of("learningRate", 0.001));
        running.describe("lenet5", "digits");
    }

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--in", folder.toString()));
        return new CommandLine(new RunsCommand())
                .registerConverter(Duration.class, new DurationConverter())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler((failure, command, parsed) -> OneLineErrors.failed(failure, command))
                .execute(all.toArray(String[]::new));
    }

    private List<String> names() {
        return out.toString().lines().skip(1).map(line -> line.split(" ")[0]).toList();
    }

    @Test
    void shouldListRunsTheNewestFirst() {
        assertThat(run()).as(err.toString()).isZero();

        List<String> lines =
                out.toString().lines().map(line -> line.replaceAll(" +", " ")).toList();
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).isEqualTo("NAME STATE NETWORK DATA BEST DURATION COST WHEN TAGS");
        assertThat(lines.get(1)).startsWith("now running lenet5 digits - ");
        assertThat(lines.get(2))
                .startsWith("high ended resnet20 digits accuracy 75.00% 1 min 15 s 0.5000 EUR")
                .endsWith(" night,best");
        assertThat(run("list")).isZero();
        assertThat(names()).containsExactly("now", "high", "low");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--sort name|high low now",
                "--sort best|high low now",
                "--sort NETWORK|now low high",
                "--state running|now",
                "--state ended --state killed|high low",
                "--network RESNET|high",
                "--tag night|high low",
                "--tag night --tag best|high",
                "--dataset dig --state running|now"
            })
    void shouldSortAndFilter(String options, String names) {
        assertThat(run(options.split(" "))).as(err.toString()).isZero();

        assertThat(names()).containsExactly(names.split(" "));
    }

    @Test
    void shouldListForPrograms() {
        assertThat(run("--json", "--tag", "best")).isZero();

        JsonNode json = JsonMapper.shared().readTree(out.toString());
        assertThat(json.path("folder").asString()).isEqualTo(folder.toString());
        JsonNode run = json.path("runs").get(0);
        assertThat(json.path("runs").size()).isEqualTo(1);
        assertThat(run.path("name").asString()).isEqualTo("high");
        assertThat(run.path("state").asString()).isEqualTo("ended");
        assertThat(run.path("best").path("measure").asString()).isEqualTo("accuracy");
        assertThat(run.path("best").path("value").asDouble()).isEqualTo(0.75);
        assertThat(run.path("seconds").asDouble()).isEqualTo(75);
        assertThat(run.path("cost").asDouble()).isEqualTo(0.5);
    }

    @Test
    void shouldShowWhatIsKnownOfARun() {
        assertThat(run("show", "best")).as(err.toString()).isZero();

        assertThat(err.toString())
                .contains(
                        "BEST is high: held-out accuracy 75.00%, the best of 2 on digits by accuracy; others have other");
        assertThat(out.toString())
                .contains(
                        "high: ended",
                        "folder: " + folder.resolve("high-folder"),
                        "tags: night, best",
                        "note: about high",
                        "trains resnet20?classes=10 on digits",
                        "best held-out accuracy 75.00%, of version 640",
                        "learningRate: 0.01",
                        "cost: 0.5");
        assertThat(run("show", "now")).isZero();
        assertThat(out.toString())
                .contains("now: running as process %d"
                        .formatted(ProcessHandle.current().pid()));
        assertThat(run("show", "LAST", "--json")).isZero();
        JsonNode json = JsonMapper.shared().readTree(out.toString());
        assertThat(json.path("process").path("pid").asLong())
                .isEqualTo(ProcessHandle.current().pid());
        assertThat(json.path("settings").path("learningRate").asString()).isEqualTo("0.001");
    }

    @Test
    void shouldSayWhenThereIsNoSuchRun() {
        assertThat(run("show", "nobody")).isEqualTo(3);
        assertThat(err.toString()).contains("there is no run 'nobody'", "of the 3 runs in " + folder);
        assertThat(run("--network", "vgg")).isZero();
        assertThat(out.toString()).contains("none of the 3 runs in");
    }

    @Test
    void shouldPrintNoEscapeSequenceOfAFile() throws Exception {
        Path hostile = Files.createDirectories(folder.resolve("x\u001b[2Jy"));
        Files.writeString(hostile.resolve("run.json"), "{\"format\": \"\u001b[31m\"}");
        Path old = Files.createDirectories(folder.resolve("old"));
        Files.writeString(
                old.resolve("report.json"),
                "{\"result\": {\"network\": \"\\u001b[31mnet\", \"dataset\": \"\\u001b]0;x\", \"modelPath\": \"\\u001b[2J\"}}");

        for (String[] command :
                List.<String[]>of(new String[] {}, new String[] {"--json"}, new String[] {"show", "old"}, new String[] {
                    "show", "old", "--json"
                })) {
            assertThat(run(command)).isZero();
            assertThat(out.toString() + err).doesNotContain("\u001b");
        }
    }

    @Test
    void shouldCompareRunsInTheTerminalAndAsAPage() throws Exception {
        for (String name : List.of("low", "high")) {
            Files.writeString(
                    folder.resolve(name + "-folder").resolve("curves.csv"),
                    "train/samples,train/loss,heldout/accuracy\n32,2.5,\n64,2,0.25\n96,1,%s\n"
                            .formatted(name.equals("low") ? 0.5 : 0.75));
        }
        Path page = folder.resolve("comparison.html");

        assertThat(run("compare", "low", "BEST", "--html", page.toString()))
                .as(err.toString())
                .isZero();

        List<String> lines =
                out.toString().lines().map(line -> line.replaceAll(" +", " ")).toList();
        assertThat(lines)
                .contains(
                        "SETTING A low B high",
                        "network lenet5 resnet20?classes=10",
                        "learningRate 0.1 0.01",
                        "best held-out accuracy 50.00% accuracy 75.00%",
                        "held-out accuracy over the training samples",
                        "training loss over the training samples");
        assertThat(Files.readString(page))
                .contains("<h1>2 runs compared</h1>", "<td>0.01</td>", "<svg", "B high")
                .doesNotContain("dataset");
        assertThat(run("compare", "low", "high", "--json")).isZero();
        JsonNode json = JsonMapper.shared().readTree(out.toString());
        assertThat(json.path("settings").path("learningRate").get(1).asString()).isEqualTo("0.01");
        assertThat(json.path("curves").path("heldout/accuracy").get(1).get(1).toString())
                .isEqualTo("[96.0,0.75]");
        assertThat(run("compare", "low", "low")).isEqualTo(3);
        assertThat(run("compare", "low")).isEqualTo(2);
    }

    @Test
    void shouldEscapeWhatARunIsCalledInThePage() throws Exception {
        new ExampleRuns(folder).train("<script>", "lenet5", 0.25, Map.of("note", "<b>"));
        Path page = folder.resolve("comparison.html");

        assertThat(run("compare", "low", "<script>", "--html", page.toString()))
                .as(err.toString())
                .isZero();

        assertThat(Files.readString(page))
                .contains("&lt;script&gt;", "&lt;b&gt;")
                .doesNotContain("<script>", "<b>");
    }

    @Test
    void shouldPrintLogs() throws Exception {
        Path logs = Files.createDirectories(folder.resolve("low-folder/logs"));
        Files.writeString(logs.resolve("ps-service.log"), "one\ntwo\n\u001b[31mthree\n");
        Files.writeString(logs.resolve("worker-0.log"), "four\n");

        assertThat(run("logs", "low", "--lines", "1")).isZero();
        assertThat(out.toString().lines()).containsExactly("ps-service | \uFFFD[31mthree", "worker-0 | four");
        assertThat(run("logs", "low", "--program", "worker-0")).isZero();
        assertThat(out.toString().lines()).containsExactly("four");
        assertThat(run("logs", "low", "--follow")).isZero();
        assertThat(out.toString().lines()).hasSize(4);
        assertThat(run("logs", "low", "--program", "../run.json")).isEqualTo(3);
        assertThat(err.toString()).contains("has no log of '../run.json'; it has those of: ps-service, worker-0");
        assertThat(run("logs", "high")).isEqualTo(3);
    }

    @Test
    void shouldRemoveOnlyRunsThatDoNotRun() {
        assertThat(run("rm", "low", "now", "--yes")).isEqualTo(3);
        assertThat(err.toString()).contains("now is running: fleetgrad runs stop now ends it first");
        assertThat(folder.resolve("low-folder")).exists();

        assertThat(run("rm", "low", "low-folder", "--yes")).as(err.toString()).isZero();

        assertThat(out.toString().lines()).containsExactly("removed low");
        assertThat(folder.resolve("low-folder")).doesNotExist();
        assertThat(run("rm", "low", "--yes")).isEqualTo(3);
    }

    @Test
    void shouldRefuseToStopARunThatDoesNotRun() {
        assertThat(run("stop", "low")).isEqualTo(3);
        assertThat(err.toString()).contains("low does not run: it is ended");
    }

    @Test
    void shouldFindARunElsewhereWhenItIsToldWhere() throws Exception {
        Path elsewhere = folder.resolve("deep/er");
        new ExampleRuns(elsewhere).train("away", "lenet5", 0.9, Map.of());

        assertThat(run("--look-in", folder.resolve("deep").toString())).isZero();

        assertThat(err.toString()).contains("runs outside of %s: 1".formatted(folder));
        assertThat(names()).contains("away", "now");
    }
}
