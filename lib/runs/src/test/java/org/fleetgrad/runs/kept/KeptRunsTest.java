package org.fleetgrad.runs.kept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.runs.output.RunFailedException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptRunsTest {

    private static final RunProcess THIS = RunProcess.current();

    /** What a report of an earlier build began with. */
    private static final String REPORT = """
            {"result": {"accuracy": 0.98, "heldOutLoss": 0.1, "version": 640, "samples": 20480, "seconds": 12.5, "cost": 0.25,
             "dataset": "mnist", "network": "lenet5", "tensorsSha256": "ab"},
             "settings": {"learningRate": 0.01, "mode": "async"}, "curve": [""";

    @TempDir
    private Path folder;

    private Path runs = Path.of("");
    private final List<String> read = new ArrayList<>();

    @BeforeEach
    void name() {
        runs = folder.resolve("runs");
    }

    private KeptRuns kept() {
        return new KeptRuns(runs, (file, most) -> {
            read.add(runs.relativize(file) + " " + most);
            return SmallFiles.ON_DISK.read(file, most);
        });
    }

    private void run(String name, RunFacts facts) throws Exception {
        ExampleFacts.write(runs.resolve(name), facts);
    }

    @Test
    void shouldTellTheStateOfARunByItsFactsAndItsProcess() throws Exception {
        run("a", ExampleFacts.of("a"));
        run("b", ExampleFacts.running("b", THIS));
        run("c", ExampleFacts.running("c", new RunProcess(THIS.pid(), THIS.start() + "9", THIS.host())));
        run("d", ExampleFacts.running("d", new RunProcess(THIS.pid(), THIS.start(), THIS.host() + "-2")));
        run("e", ExampleFacts.running("e", RunProcess.NONE));
        run("f", ExampleFacts.of("f").ending(new RunEnd(RunState.FAILED, ExampleFacts.BEGAN, "why")));
        run("g", ExampleFacts.of("g").ending(new RunEnd(RunState.STOPPED, ExampleFacts.BEGAN, "")));
        Files.writeString(Files.createDirectories(runs.resolve("h")).resolve("run.json"), "{\"format\": 1");
        Files.createDirectories(runs.resolve("no-run"));

        assertThat(kept().all())
                .extracting(run -> run.folderName() + " " + run.state())
                .containsExactlyInAnyOrder(
                        "a ended",
                        "b running",
                        "c killed",
                        "d elsewhere",
                        "e killed",
                        "f failed",
                        "g stopped",
                        "h unreadable");
    }

    /** 1,000 folders are listed in a second because of each one small file is read, and of an old report its beginning. */
    @Test
    void shouldReadOneSmallFileOfEachRun() throws Exception {
        run("new", ExampleFacts.of("new"));
        for (String large : List.of("report.json", "curves.csv", "model.safetensors", "pipeline.json")) {
            Files.writeString(runs.resolve("new").resolve(large), REPORT);
        }
        Path old = Files.createDirectories(runs.resolve("old"));
        Files.writeString(old.resolve("report.json"), REPORT + "1,".repeat(2_000_000));
        Files.createDirectories(old.resolve("checkpoints/checkpoint-000001"));

        assertThat(kept().all()).hasSize(2);

        assertThat(read).containsExactlyInAnyOrder("new/run.json 262144", "old/report.json 1048576");
    }

    @Test
    void shouldListAnOldRunByItsReport() throws Exception {
        Path report = Files.createDirectories(runs.resolve("old")).resolve("report.json");
        Files.writeString(report, REPORT + "]}");
        Files.setLastModifiedTime(report, FileTime.from(ExampleFacts.BEGAN));
        Files.writeString(
                Files.createDirectories(runs.resolve("pipe")).resolve("pipeline.json"),
                "{\"heldOutLoss\": 2.5, \"perplexity\": 12.2, \"network\": \"gpt2\", \"steps\": 10, \"version\": 10}");

        List<KeptRun> all = kept().all();

        KeptRun old = kept().find("old");
        assertThat(old.facts().network()).isEqualTo("lenet5");
        assertThat(old.facts().dataset()).isEqualTo("mnist");
        assertThat(old.facts().settings()).containsEntry("learningRate", "0.01").containsEntry("mode", "async");
        assertThat(old.facts().best()).contains(new Measure(MeasureKind.ACCURACY, 0.98, 640));
        assertThat(old.facts().figures()).containsEntry("cost", 0.25).containsEntry("tensorsSha256", "ab");
        assertThat(old.duration(Instant.EPOCH)).contains(Duration.ofMillis(12_500));
        assertThat(all)
                .filteredOn(run -> run.folderName().equals("pipe"))
                .singleElement()
                .satisfies(run -> {
                    assertThat(run.facts().command()).isEqualTo("pipeline");
                    assertThat(run.facts().best()).contains(new Measure(MeasureKind.LOSS, 2.5, 10));
                });
    }

    @Test
    void shouldListTheOthersWhenAFolderIsRemovedMeanwhile() throws Exception {
        run("a", ExampleFacts.of("a"));
        run("b", ExampleFacts.of("b"));
        KeptRuns racing = new KeptRuns(runs, (file, most) -> {
            if (file.startsWith(runs.resolve("a"))) {
                Files.delete(file);
                throw new NoSuchFileException(file.toString());
            }
            return SmallFiles.ON_DISK.read(file, most);
        });

        assertThat(racing.all()).extracting(KeptRun::title).containsExactly("b");
    }

    @Test
    void shouldSayWhichFactsTheDiskRefuses() throws Exception {
        run("a", ExampleFacts.of("a"));
        KeptRuns failing = new KeptRuns(runs, (file, most) -> {
            throw new IOException("Input/output \u001b error");
        });

        assertThat(failing.all()).singleElement().satisfies(run -> {
            assertThat(run.state()).isEqualTo(RunState.UNREADABLE);
            assertThat(run.problem()).isEqualTo("Input/output \uFFFD error");
        });
    }

    @Test
    void shouldTakeNoLinkAndNoPipeForFacts() throws Exception {
        run("a", ExampleFacts.of("a"));
        Files.createSymbolicLink(
                Files.createDirectories(runs.resolve("b")).resolve("run.json"), runs.resolve("a/run.json"));
        Files.createDirectories(runs.resolve("c/run.json"));

        assertThat(kept().all()).extracting(KeptRun::title).containsExactly("a");
    }

    @Test
    void shouldFindARunByNameByFolderByPathAndByWhatItIs() throws Exception {
        Instant later = ExampleFacts.BEGAN.plusSeconds(100);
        run("20260101", ExampleFacts.of("first"));
        run("20260102", ExampleFacts.of("second", later, Optional.empty()));
        Path elsewhere = ExampleFacts.write(folder.resolve("x/away"), ExampleFacts.of("third"));

        assertThat(kept().find("first").folderName()).isEqualTo("20260101");
        assertThat(kept().find("20260102").title()).isEqualTo("second");
        assertThat(kept().find(elsewhere.toString()).title()).isEqualTo("third");
        assertThat(kept().find("last").title()).isEqualTo("second");
        assertThat(kept().find("BEST").title()).isEqualTo("first");
        assertThatThrownBy(() -> kept().find("fourth\u001b"))
                .isInstanceOf(RunFailedException.class)
                .hasMessageStartingWith(
                        "there is no run 'fourth\uFFFD': it is neither the name nor the folder of one of the 2");
    }

    @Test
    void shouldNameTheFoldersWhenTwoRunsHaveAName() throws Exception {
        run("a", ExampleFacts.of("same"));
        run("b", ExampleFacts.of("same"));

        assertThatThrownBy(() -> kept().find("same"))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("2 runs are called 'same'")
                .hasMessageContaining(runs.resolve("a").toString())
                .hasMessageContaining(runs.resolve("b").toString());
    }

    @Test
    void shouldCompareOnlyRunsOfTheSameMeasureOnTheSameData() throws Exception {
        run("loss", measured("loss", 0, MeasureKind.LOSS, 0.01));
        run("low", measured("low", 3, MeasureKind.ACCURACY, 0.5));
        run("high", measured("high", 2, MeasureKind.ACCURACY, 0.75));
        run("other", measured("other", 1, MeasureKind.ACCURACY, 0.99).training("lenet5", "mnist"));

        BestRun best = BestRun.of(kept().all());

        assertThat(best.run().title()).isEqualTo("high");
        assertThat(best.compared())
                .isEqualTo(
                        "BEST is high: held-out accuracy 75.00%, the best of 2 on digits by accuracy; others have other data,"
                                + " another measure or no result: 2");
    }

    private static RunFacts measured(String name, int seconds, MeasureKind kind, double value) {
        return ExampleFacts.of(name, ExampleFacts.BEGAN.plusSeconds(seconds), Optional.of(new Measure(kind, value, 1)));
    }
}
