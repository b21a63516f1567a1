package org.fleetgrad.runs.kept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedRunTest {

    @TempDir
    private Path folder;

    private final ManualClock clock = new ManualClock();
    private final List<String> told = new ArrayList<>();
    private KeptRuns runs = KeptRuns.in(Path.of(""));

    @BeforeEach
    void name() {
        runs = KeptRuns.in(folder.resolve("runs"));
    }

    private RecordedRun begin(String at, RunLabel label) throws Exception {
        Path own = Files.createDirectories(folder.resolve(at));
        return RecordedRun.begin(runs, own, "train", label, Map.of("workers", 2, "--seed", 7), clock, told::add);
    }

    private static RunLabel named(String name) {
        return new RunLabel(Optional.of(name), List.of(), Optional.empty());
    }

    @Test
    void shouldRecordARunFromBeginToEnd() throws Exception {
        RecordedRun run = begin("runs/a", named("first"));
        assertThat(runs.find("first").state()).isEqualTo(RunState.RUNNING);
        assertThat(runs.find("first").facts().settings())
                .containsEntry("workers", "2")
                .containsEntry("seed", "7");

        String result = run.follow(() -> {
            run.describe(Map.of("optimizer", "sgd"));
            run.describe("lenet5", "digits");
            run.measured(new Measure(MeasureKind.ACCURACY, 0.75, 10));
            run.measured(new Measure(MeasureKind.ACCURACY, 0.5, 20));
            run.result("{\"accuracy\": 0.5, \"seconds\": 3, \"cost\": 1.5, \"labels\": {\"microF1\": 0.25}}", "EUR");
            clock.advance(Duration.ofSeconds(30));
            return "done";
        });

        KeptRun ended = runs.find("first");
        assertThat(result).isEqualTo("done");
        assertThat(ended.state()).isEqualTo(RunState.ENDED);
        assertThat(ended.facts().best()).contains(new Measure(MeasureKind.ACCURACY, 0.75, 10));
        assertThat(ended.facts().network()).isEqualTo("lenet5");
        assertThat(ended.facts().settings()).containsEntry("optimizer", "sgd").containsEntry("workers", "2");
        assertThat(ended.facts().figures())
                .containsEntry("cost", 1.5)
                .containsEntry("currency", "EUR")
                .containsEntry("microF1", 0.25)
                .containsEntry("seconds", 3L);
        assertThat(ended.duration(clock.instant())).contains(Duration.ofSeconds(30));
        assertThat(told).isEmpty();
    }

    @Test
    void shouldRecordWhyARunFailed() throws Exception {
        RecordedRun run = begin("runs/a", RunLabel.NONE);

        assertThatThrownBy(() -> run.follow(() -> {
                    throw RunFailedException.input("no such dataset");
                }))
                .hasMessage("no such dataset");

        assertThat(runs.find("a").state()).isEqualTo(RunState.FAILED);
        assertThat(runs.find("a").facts().end().orElseThrow().reason()).isEqualTo("no such dataset");
        RecordedRun other = begin("runs/b", RunLabel.NONE);
        assertThatThrownBy(() -> other.follow(() -> {
                    throw new IllegalStateException("bug");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(runs.find("b").facts().end().orElseThrow().reason()).contains("bug");
        RecordedRun stopped = begin("runs/c", RunLabel.NONE);
        assertThatThrownBy(() -> stopped.follow(() -> {
                    throw new InterruptedException();
                }))
                .isInstanceOf(InterruptedException.class);
        assertThat(runs.find("c").state()).isEqualTo(RunState.STOPPED);
    }

    @Test
    void shouldWriteABestResultOfARunInProgressAFewSecondsLaterAtMost() throws Exception {
        RecordedRun run = begin("runs/a", RunLabel.NONE);

        run.measured(new Measure(MeasureKind.LOSS, 2, 10));
        assertThat(runs.find("a").facts().best()).isEmpty();
        clock.advance(Duration.ofSeconds(6));
        run.measured(new Measure(MeasureKind.LOSS, 1, 20));

        assertThat(runs.find("a").facts().best()).contains(new Measure(MeasureKind.LOSS, 1, 20));
        assertThat(run.follow(() -> 1)).isEqualTo(1);
    }

    @Test
    void shouldRefuseANameThatAnotherRunHasWithItsFolder() throws Exception {
        end(begin("elsewhere/a", named("first")));

        assertThatThrownBy(() -> begin("runs/b", named("first")))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("--name first: the run in " + folder.resolve("elsewhere/a"));
        assertThatThrownBy(() -> begin("runs/c", named("a"))).hasMessageContaining("--name a: the run in");
        assertThat(runs.all()).hasSize(1);
    }

    @Test
    void shouldGiveANameToOneOfManyThatTakeItAtTheSameTime() throws Exception {
        int count = 8;
        ExecutorService threads = Executors.newFixedThreadPool(count);
        List<Callable<Optional<RecordedRun>>> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String at = "elsewhere/run" + i;
            jobs.add(() -> {
                try {
                    return Optional.of(begin(at, named("first")));
                } catch (RunFailedException taken) {
                    return Optional.empty();
                }
            });
        }
        List<RecordedRun> begun = new ArrayList<>();
        for (Future<Optional<RecordedRun>> job : threads.invokeAll(jobs)) {
            job.get().ifPresent(begun::add);
        }
        threads.shutdown();

        assertThat(begun).hasSize(1);
        end(begun.get(0));
        assertThat(runs.all()).extracting(KeptRun::title).containsExactly("first");
    }

    @Test
    void shouldKeepNameAndBestOfARunThatContinuesInItsFolder() throws Exception {
        RecordedRun first = begin("runs/a", named("first"));
        first.measured(new Measure(MeasureKind.ACCURACY, 0.75, 10));
        end(first);

        RecordedRun second = begin("runs/a", RunLabel.NONE);
        second.measured(new Measure(MeasureKind.ACCURACY, 0.5, 20));
        end(second);
        end(begin("runs/a", named("first")));

        assertThat(runs.find("first").facts().best()).contains(new Measure(MeasureKind.ACCURACY, 0.75, 10));
    }

    @Test
    void shouldRefuseAFolderInWhichARunIsRunning() throws Exception {
        RecordedRun run = begin("runs/a", RunLabel.NONE);

        assertThatThrownBy(() -> begin("runs/a", RunLabel.NONE))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("a run is running in %s: process %d"
                        .formatted(
                                folder.resolve("runs/a"),
                                ProcessHandle.current().pid()));
        end(run);
    }

    @Test
    void shouldTrainOnWhenTheFactsCanNoLongerBeWritten() throws Exception {
        RecordedRun run = begin("runs/a", RunLabel.NONE);
        Files.delete(folder.resolve("runs/a/run.json"));
        Files.delete(folder.resolve("runs/a"));

        run.describe("lenet5", "digits");
        run.describe("lenet5", "digits");
        Files.createDirectories(folder.resolve("runs/a"));
        end(run);

        assertThat(told).singleElement().asString().startsWith("fleetgrad runs does not know how this run goes on");
        assertThat(runs.find("a").state()).isEqualTo(RunState.ENDED);
    }

    @Test
    void shouldNotListAPartOfARun() throws Exception {
        RecordedRun part = RecordedRun.unrecorded(Files.createDirectories(folder.resolve("runs/a")));
        part.describe("lenet5", "digits");

        end(part);

        assertThat(runs.all()).isEmpty();
    }

    private static void end(RecordedRun run) throws Exception {
        assertThat(run.follow(() -> 1)).isEqualTo(1);
    }
}
