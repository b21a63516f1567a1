package org.fleetgrad.runs.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.settings.Until;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchTest {

    @TempDir
    private Path temporary;

    private Path folder;
    private KeptRuns runs;
    private int parallel = 1;

    @BeforeEach
    void open() {
        folder = temporary.resolve("rates");
        runs = KeptRuns.in(temporary);
    }

    private static SearchPlan plan(SearchMethod method, String... values) {
        return new SearchPlan(
                "rates",
                method,
                2,
                7,
                List.of(Variation.parse("learning-rate=" + String.join(",", values))),
                List.of("--data", "my data", "--note", "a \"note\""),
                Path.of("").toAbsolutePath(),
                Arrays.stream(values)
                        .map(value -> new SearchPlan.Drawn(List.of(value), Until.epochs(4)))
                        .toList());
    }

    private SearchResult begin(SearchPlan plan, TrialTraining training) throws Exception {
        try (SearchFolder opened = SearchFolder.open(folder)) {
            return Search.begin(opened, plan, runs, training, RunOutput.SILENT, parallel)
                    .run();
        }
    }

    private SearchResult resume(TrialTraining training) throws Exception {
        try (SearchFolder opened = SearchFolder.open(folder)) {
            return Search.resume(opened, opened.read().orElseThrow(), runs, training, RunOutput.SILENT, parallel)
                    .run();
        }
    }

    @Test
    void shouldTrainSeveralTrialsAtATimeWithTheSameResult() throws Exception {
        parallel = 2;
        FakeTraining training = new FakeTraining(4, 0);
        CyclicBarrier two = new CyclicBarrier(2);

        SearchResult result = begin(plan(SearchMethod.HALVING, "0.1", "0.2", "0.3", "0.4"), (trial, words) -> {
            if (words.contains("--until=1e") || words.contains("--until=2e")) {
                meet(two);
            }
            synchronized (training) {
                return training.train(trial, words);
            }
        });

        parallel = 1;
        FakeTraining none = new FakeTraining(4, 0);
        assertThat(resume(none)).isEqualTo(result);
        assertThat(none.ended)
                .as("the plan and the decisions are those of one at a time")
                .isEmpty();
        assertThat(training.ended).hasSize(4 + 2 + 1);
    }

    /** What is started must have ended before the search says that it failed. */
    @Test
    void shouldStopTheOtherTrialsIfTooManyFail() {
        parallel = 2;
        AtomicInteger stopped = new AtomicInteger();
        CountDownLatch never = new CountDownLatch(1);

        assertThatThrownBy(() -> begin(plan(SearchMethod.GRID, "0.1", "0.2", "0.3", "0.4"), (trial, words) -> {
                    if (trial.number() > 1) {
                        return "the disk is gone";
                    }
                    try {
                        never.await();
                    } catch (InterruptedException interrupted) {
                        stopped.incrementAndGet();
                        throw interrupted;
                    }
                    return "";
                }))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("no trial has ended, and 3 failed");

        assertThat(stopped).hasValue(1);
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            int unused = barrier.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException alone) {
            throw new AssertionError("the trials do not train at a time", alone);
        }
    }

    @Test
    void shouldTrainEachTrialAsARunOfItsOwnAndSayWhichIsBest() throws Exception {
        FakeTraining training = new FakeTraining(3, 0);
        List<List<String>> words = new ArrayList<>();

        SearchResult result = begin(plan(SearchMethod.GRID, "0.1", "0.2", "0.3"), (trial, each) -> {
            words.add(each);
            return training.train(trial, each);
        });

        assertThat(words.get(1))
                .containsExactly(
                        "--data",
                        "my data",
                        "--note",
                        "a \"note\"",
                        "--learning-rate=0.2",
                        "--until=4e",
                        "--out=" + folder.resolve("rates-2"),
                        "--name=rates-2",
                        "--tag=rates",
                        "--plain");
        assertThat(runs.look(folder.resolve("rates-3")).orElseThrow().title()).isEqualTo("rates-3");
        assertThat(result.trials())
                .isSortedAccordingTo((one, other) -> Double.compare(
                        other.best().orElseThrow().value(),
                        one.best().orElseThrow().value()));
        assertThat(Files.readAllLines(folder.resolve(TrialTable.FILE)))
                .hasSize(4)
                .first()
                .isEqualTo("trial,name,learning-rate,state,rung,measure,best,best_version,version,seconds,note");
    }

    @Test
    void shouldTryAFailedTrialAgainAfterTheOthers() throws Exception {
        SearchPlan plan = plan(SearchMethod.GRID, "0.1", "0.2", "0.3");
        SearchResult first = begin(plan, new FakeTraining(3, 1));
        assertThat(first.open()).isEqualTo(1);
        assertThat(first.trials().get(2).state()).isEqualTo("failed");
        assertThat(first.trials().get(2).note()).isEqualTo("the loss is no number");

        FakeTraining cured = new FakeTraining(3, 0);
        SearchResult second = resume(cured);

        assertThat(cured.ended).containsExactly("1 until 4e");
        assertThat(second.open()).isZero();
    }

    @Test
    void shouldGiveUpWhenEveryTrialFails() throws Exception {
        List<Integer> tried = new ArrayList<>();
        TrialTraining broken = (trial, words) -> {
            tried.add(trial.number());
            return "fleetgrad: --data nowhere: there is no such folder";
        };

        assertThatThrownBy(() -> begin(plan(SearchMethod.GRID, "0.1", "0.2", "0.3", "0.4", "0.5"), broken))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("no trial has ended, and 3 failed")
                .hasMessageContaining("--data nowhere: there is no such folder")
                .hasMessageContaining("fleetgrad search --resume " + folder);
        assertThat(tried).containsExactly(1, 2, 3);
        TrialTraining absent = (trial, words) -> {
            throw new IOException("no java");
        };
        assertThatThrownBy(() -> resume(absent)).hasMessageContaining("its process cannot be started");
    }

    @Test
    void shouldNoteInARunWhyItDoesNotTrainOn() throws Exception {
        begin(plan(SearchMethod.HALVING, "0.1", "0.2", "0.3", "0.4"), new FakeTraining(4, 2));

        assertThat(runs.look(folder.resolve("rates-2"))
                        .orElseThrow()
                        .facts()
                        .label()
                        .note())
                .contains("stopped at rung 1 of 3: no held-out result, 4th of 4");
        List<String> notes = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            runs.look(folder.resolve("rates-" + i))
                    .flatMap(run -> run.facts().label().note())
                    .ifPresent(notes::add);
        }
        assertThat(notes).hasSize(3).anyMatch(note -> note.matches("stopped at rung 2 of 3: accuracy .*%, 2nd of 2"));
    }

    @Test
    void shouldRefuseADamagedPlanAtEachByte() throws Exception {
        begin(plan(SearchMethod.HALVING, "0.1", "0.2", "0.3"), new FakeTraining(3, 0));
        byte[] whole = Files.readAllBytes(folder.resolve(SearchFolder.FILE));
        SearchState state = SearchJson.read(whole);
        assertThat(SearchJson.write(state)).isEqualTo(whole);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> SearchJson.read(cut)).isInstanceOf(IllegalArgumentException.class);
        }
        for (int i = 0; i < whole.length; i++) {
            byte[] changed = whole.clone();
            changed[i] ^= 0x15;
            try {
                assertThat(SearchJson.read(changed).plan().drawn()).isNotEmpty();
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageNotContaining("Exception");
            }
        }
        Files.writeString(folder.resolve(SearchFolder.FILE), "{}");
        assertThatThrownBy(() -> resume(new FakeTraining(3, 0)))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("search.json is damaged: format ; this build reads 1");
    }

    @Test
    void shouldRefuseASecondCommandInTheSameFolder() throws Exception {
        try (SearchFolder first = SearchFolder.open(folder)) {
            assertThat(first.read()).isEmpty();
            assertThatThrownBy(() -> SearchFolder.open(folder))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageContaining("another command searches in " + folder);
        }
        SearchFolder.open(folder).close();
    }

    @Test
    void shouldRefuseNamesThatNoRunCanHave() {
        for (String name : List.of("a/b", "-a", ".a", "LAST\n", " a", "x".repeat(91))) {
            assertThatThrownBy(() -> new SearchPlan(
                            name,
                            SearchMethod.RANDOM,
                            3,
                            0,
                            List.of(Variation.parse("seed=1,2")),
                            List.of(),
                            Path.of(""),
                            List.of(new SearchPlan.Drawn(List.of("1"), Until.epochs(1)))))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldWriteATableThatSpreadsheetsAndPandasRead() {
        SearchPlan plan = plan(SearchMethod.GRID, "a b", "=SUM(1)");
        List<Trial> trials = plan.trials(folder);
        SearchResult result = new SearchResult(
                folder,
                plan,
                List.of(
                        new TrialResult(trials.get(0), "failed", 1, Optional.empty(), -1, 0, "a \"word\", two"),
                        new TrialResult(trials.get(1), "ended", 1, Optional.empty(), 12, 1.25, "")),
                1);

        assertThat(TrialTable.text(result).split("\r\n"))
                .contains(
                        "1,rates-1,a b,failed,1,,,,,0.0,\"a \"\"word\"\", two\"",
                        "2,rates-2,'=SUM(1),ended,1,,,,12,1.3,");
    }
}
