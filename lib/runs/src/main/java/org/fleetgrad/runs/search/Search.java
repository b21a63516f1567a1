package org.fleetgrad.runs.search;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.kept.RunState;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.search.RungResult.Standing;

/**
 * A search over settings: trains its trials, one after the other or several at a time, and with halving decides after each rung which of them train on. It
 * remembers nothing that its folder and those of its trials do not say, so that it goes on from wherever it was interrupted. Confined to
 * one thread; that of a trial only trains.
 */
public final class Search {

    /** If every trial fails at first, the reason is hardly their values. */
    private static final int MOST_FAILURES_AT_FIRST = 3;

    /** A disk that is full in the middle fails each further trial. */
    private static final int MOST_FAILURES = 10;

    private final SearchFolder folder;
    private final KeptRuns runs;
    private final RunOutput output;
    private final TrialRunner runner;
    private final TrialPool pool;
    private final SearchProgress progress;
    private final List<Trial> trials;
    private final Map<Integer, String> failures = new HashMap<>();
    private SearchState state;
    private int failuresInARow;
    private boolean isAnyDone;

    private Search(
            SearchFolder folder,
            KeptRuns runs,
            TrialTraining training,
            RunOutput output,
            SearchState state,
            int parallel) {
        this.folder = folder;
        this.runs = runs;
        this.output = output;
        this.state = state;
        this.trials = state.plan().trials(folder.path());
        this.progress = new SearchProgress(state.plan(), trials, runs, output, parallel);
        this.pool = new TrialPool(parallel);
        this.runner = new TrialRunner(state.plan(), runs, progress.following(training), output);
    }

    /**
     * Begins a search: its plan is on the disk when this returns.
     *
     * @param training is called by as many threads as trials train at a time
     * @param parallel trials that train at a time; no part of the plan
     */
    public static Search begin(
            SearchFolder folder, SearchPlan plan, KeptRuns runs, TrialTraining training, RunOutput output, int parallel)
            throws RunFailedException {
        SearchState state = new SearchState(plan, List.of());
        folder.write(state);
        return new Search(folder, runs, training, output, state, parallel);
    }

    /** Returns a search that goes on as its folder says, with so many trials at a time. */
    public static Search resume(
            SearchFolder folder,
            SearchState state,
            KeptRuns runs,
            TrialTraining training,
            RunOutput output,
            int parallel) {
        return new Search(folder, runs, training, output, state, parallel);
    }

    /**
     * Trains every trial that has something to do.
     *
     * @throws RunFailedException if the folder takes no file, or if so many trials fail that the reason is hardly their values
     */
    public SearchResult run() throws RunFailedException, InterruptedException {
        List<Rung> rungs = state.plan().rungs();
        List<Trial> training = trials;
        for (int i = 0; i < rungs.size() && !training.isEmpty(); i++) {
            if (i >= state.rungs().size()) {
                trainAll(training, i);
                if (i == rungs.size() - 1) {
                    break;
                }
                decide(training, i);
            }
            leaveNotes(i);
            training = winners(i);
        }
        SearchResult result = SearchResults.of(folder.path(), state, failures, runs);
        TrialTable.write(result, output::tell);
        return result;
    }

    /** Trials that failed before come last: they may fail again. */
    private void trainAll(List<Trial> training, int rung) throws RunFailedException, InterruptedException {
        Map<Boolean, List<Trial>> hasFailed = training.stream()
                .collect(Collectors.partitioningBy(
                        trial -> TrialState.of(trial, runs).is(RunState.FAILED)));
        List<Trial> ordered = Stream.of(false, true)
                .flatMap(failed -> hasFailed.getOrDefault(failed, List.of()).stream())
                .toList();
        Rung budget = state.plan().rungs().get(rung);
        progress.begin(rung, training);
        isAnyDone =
                training.stream().anyMatch(trial -> TrialState.of(trial, runs).isDone(budget.until(trial)));
        pool.train(
                ordered,
                trial -> {
                    progress.next(trial);
                    return runner.train(trial, budget.until(trial));
                },
                (trial, failure) -> ended(trial, failure, budget));
    }

    private void ended(Trial trial, String failure, Rung budget) throws RunFailedException {
        if (failure.isEmpty()) {
            failures.remove(trial.number());
            failuresInARow = 0;
            isAnyDone |= TrialState.of(trial, runs).isDone(budget.until(trial));
        } else {
            failures.put(trial.number(), failure);
            failed(trial, failure);
        }
        progress.ended(trial);
        TrialTable.write(SearchResults.of(folder.path(), state, failures, runs), output::tell);
    }

    private void failed(Trial trial, String failure) throws RunFailedException {
        failuresInARow++;
        output.tell("%s failed: %s".formatted(trial.name(), failure));
        boolean isTooMany = isAnyDone
                ? failuresInARow >= MOST_FAILURES
                : failuresInARow >= Math.min(MOST_FAILURES_AT_FIRST, trials.size());
        if (isTooMany) {
            throw RunFailedException.remote(
                    "%s, so the reason may be another than their values; %s: %s. To go on, with those that have not failed first: fleetgrad search --resume %s"
                            .formatted(
                                    isAnyDone
                                            ? "%d trials in a row failed".formatted(failuresInARow)
                                            : "no trial has ended, and %d failed".formatted(failuresInARow),
                                    trial.name(),
                                    failure,
                                    folder.path()));
        }
    }

    private void decide(List<Trial> training, int rung) throws RunFailedException {
        Rung budget = state.plan().rungs().get(rung);
        List<Standing> standings = training.stream()
                .map(trial -> TrialState.of(trial, runs))
                .map(trial -> new Standing(
                        trial.trial().number(),
                        trial.isDone(budget.until(trial.trial())),
                        trial.best(),
                        trial.seconds()))
                .toList();
        RungResult result =
                RungResult.of(standings, state.plan().rungs().get(rung + 1).trials());
        state = state.with(result);
        folder.write(state);
        output.tell("rung %d of %d: %d trials, of which %d train on: %s"
                .formatted(
                        rung + 1,
                        state.plan().rungs().size(),
                        training.size(),
                        result.promoted(),
                        String.join(
                                ", ", winners(rung).stream().map(Trial::name).toList())));
    }

    private List<Trial> winners(int rung) {
        return state.rungs().get(rung).winners().stream()
                .map(number -> trials.get(number - 1))
                .toList();
    }

    /** The decision stands in the search's folder; who looks at a run sees it there, too. A killed search does it again. */
    private void leaveNotes(int rung) {
        List<Standing> standings = state.rungs().get(rung).standings();
        for (int i = state.rungs().get(rung).promoted(); i < standings.size(); i++) {
            Trial trial = trials.get(standings.get(i).trial() - 1);
            Optional<String> untold = runs.note(trial.folder(), SearchResults.note(state, rung, i));
            untold.ifPresent(output::tell);
        }
    }
}
