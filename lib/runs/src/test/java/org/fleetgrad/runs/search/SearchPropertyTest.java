package org.fleetgrad.runs.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.fleetgrad.files.FolderTree;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.settings.Until;

/** A search that is killed between any two writes of it or of its trials, and goes on, comes to what an undisturbed one comes to. */
class SearchPropertyTest {

    private static final double EPOCHS = 9;

    private static SearchPlan plan(SearchMethod method, int trials) {
        return new SearchPlan(
                "first",
                method,
                3,
                0,
                List.of(Variation.parse("seed=1..10000")),
                List.of("--epochs", "9"),
                Path.of("").toAbsolutePath(),
                IntStream.rangeClosed(1, trials)
                        .mapToObj(seed -> new SearchPlan.Drawn(List.of(Integer.toString(seed)), Until.epochs(EPOCHS)))
                        .toList());
    }

    private static SearchResult run(Path folder, SearchPlan plan, FakeTraining training) throws Exception {
        try (SearchFolder opened = SearchFolder.open(folder)) {
            KeptRuns runs = KeptRuns.in(folder.resolveSibling("runs"));
            Optional<SearchState> state = opened.read();
            Search search = state.isPresent()
                    ? Search.resume(opened, state.get(), runs, training, RunOutput.SILENT, 1)
                    : Search.begin(opened, plan, runs, training, RunOutput.SILENT, 1);
            return search.run();
        }
    }

    /** Kills the search again and again, and returns what it comes to. */
    private static SearchResult interrupted(Path folder, SearchPlan plan, FakeTraining training, List<Integer> kills)
            throws Exception {
        for (int writes : kills) {
            training.killAfter(writes);
            try {
                return run(folder, plan, training);
            } catch (FakeTraining.Killed killed) {
                leaveTornFiles(folder);
            }
        }
        training.killAfter(Integer.MAX_VALUE);
        return run(folder, plan, training);
    }

    /** What a kill within a write leaves: a part of the new file under another name. */
    private static void leaveTornFiles(Path folder) throws IOException {
        byte[] whole = Files.readAllBytes(folder.resolve(SearchFolder.FILE));
        Path torn = folder.resolve(".%s.%s.tmp".formatted(SearchFolder.FILE, UUID.randomUUID()));
        Files.write(torn, Arrays.copyOf(whole, whole.length / 2));
    }

    private static List<String> outcome(SearchResult result) {
        return result.trials().stream()
                .map(trial -> "%s %s rung %d %s %s"
                        .formatted(trial.trial().name(), trial.state(), trial.rung(), trial.best(), trial.note()))
                .toList();
    }

    @Property(tries = 25)
    void shouldComeToTheSameHoweverOftenItIsKilled(
            @ForAll SearchMethod method,
            @ForAll @IntRange(min = 3, max = 14) int trials,
            @ForAll @IntRange(min = 0, max = 14) int failing,
            @ForAll @Size(max = 12) List<@IntRange(min = 0, max = 40) Integer> kills)
            throws Exception {
        Path folder = Files.createTempDirectory("search");
        try {
            SearchPlan plan = plan(method, trials);
            FakeTraining undisturbed = new FakeTraining(trials, failing);
            List<String> expected = outcome(run(folder.resolve("undisturbed"), plan, undisturbed));
            FakeTraining killed = new FakeTraining(trials, failing);

            SearchResult result = interrupted(folder.resolve("killed"), plan, killed, kills);

            assertThat(outcome(result)).isEqualTo(expected);
            assertThat(killed.ended).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(undisturbed.ended);
            for (int i = 1; i <= trials; i++) {
                assertThat(killed.worked[i]).as("epochs of trial %d", i).isCloseTo(undisturbed.worked[i], within(1e-9));
            }
        } finally {
            FolderTree.delete(folder);
        }
    }

    /** The arithmetic of halving, made anew: sort by the score at the budget of the rung, keep one of three. */
    @Property(tries = 8)
    void shouldTrainTheBestOfEachRungOnAndNobodyTwice(@ForAll @IntRange(min = 3, max = 30) int trials)
            throws Exception {
        Path folder = Files.createTempDirectory("search");
        try {
            FakeTraining training = new FakeTraining(trials, 0);

            SearchResult result = run(folder, plan(SearchMethod.HALVING, trials), training);

            int rungs = 1;
            for (int left = trials; left >= 3; left /= 3) {
                rungs++;
            }
            List<Integer> left =
                    new ArrayList<>(IntStream.rangeClosed(1, trials).boxed().toList());
            double[] budgets = new double[trials + 1];
            for (int rung = 1; rung <= rungs; rung++) {
                double budget = Until.epochs(EPOCHS)
                        .over((long) Math.pow(3, rungs - rung))
                        .amount();
                left.forEach(trial -> budgets[trial] = budget);
                left.sort(Comparator.comparing((Integer trial) -> -FakeTraining.accuracy(trial, budget))
                        .thenComparing(trial -> trial));
                left = new ArrayList<>(left.subList(0, rung == rungs ? left.size() : left.size() / 3));
            }
            assertThat(training.worked).containsExactly(budgets, within(1e-9));
            assertThat(result.trials().get(0).trial().number()).isEqualTo(left.get(0));
            assertThat(result.open()).isZero();
        } finally {
            FolderTree.delete(folder);
        }
    }
}
