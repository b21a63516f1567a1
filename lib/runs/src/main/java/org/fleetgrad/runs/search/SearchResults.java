package org.fleetgrad.runs.search;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.runs.kept.KeptRun;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.kept.Measure;
import org.fleetgrad.runs.search.RungResult.Standing;

/** Puts together what a search came to, from its folder and those of its trials. */
final class SearchResults {

    private SearchResults() {}

    /**
     * Returns the result so far.
     *
     * @param failures why trials failed in this command, by number
     */
    static SearchResult of(Path folder, SearchState state, Map<Integer, String> failures, KeptRuns runs) {
        List<Trial> trials = state.plan().trials(folder);
        List<Rung> rungs = state.plan().rungs();
        Map<Integer, Integer> reached = new HashMap<>();
        Map<Integer, String> notes = new HashMap<>();
        Map<Integer, Double> earlier = new HashMap<>();
        for (int i = 0; i < state.rungs().size(); i++) {
            RungResult rung = state.rungs().get(i);
            for (int place = 0; place < rung.standings().size(); place++) {
                Standing standing = rung.standings().get(place);
                if (place < rung.promoted()) {
                    reached.put(standing.trial(), i + 1);
                    earlier.merge(standing.trial(), standing.seconds(), Double::sum);
                } else {
                    notes.put(standing.trial(), note(state, i, place));
                }
            }
        }
        List<TrialResult> results = new ArrayList<>();
        int open = 0;
        for (Trial trial : trials) {
            TrialState now = TrialState.of(trial, runs);
            int rung = reached.getOrDefault(trial.number(), 0);
            boolean isDone = now.isDone(rungs.get(rung).until(trial));
            boolean isOut = notes.containsKey(trial.number());
            open += isDone || isOut ? 0 : 1;
            String failure = failures.getOrDefault(trial.number(), isDone ? "" : now.failure());
            results.add(new TrialResult(
                    trial,
                    isOut && isDone ? "out" : stateOf(now, failure),
                    rung + 1,
                    now.best(),
                    now.version(),
                    earlier.getOrDefault(trial.number(), 0.0) + now.seconds(),
                    isOut && isDone ? notes.getOrDefault(trial.number(), "") : failure));
        }
        return new SearchResult(folder, state.plan(), ranked(results), open);
    }

    private static String stateOf(TrialState state, String failure) {
        return failure.isEmpty()
                ? state.run().map(KeptRun::state).map(Object::toString).orElse("not begun")
                : "failed";
    }

    /** The later rung comes first: a trial of an earlier one had a smaller budget. */
    private static List<TrialResult> ranked(List<TrialResult> results) {
        Map<Integer, TrialResult> byNumber = new HashMap<>();
        results.forEach(result -> byNumber.put(result.trial().number(), result));
        List<TrialResult> ranked = new ArrayList<>();
        int last = results.stream().mapToInt(TrialResult::rung).max().orElse(1);
        for (int rung = last; rung >= 1; rung--) {
            int of = rung;
            List<Standing> standings = results.stream()
                    .filter(result -> result.rung() == of)
                    .map(result -> new Standing(result.trial().number(), true, result.best(), 0))
                    .toList();
            RungResult.of(standings, standings.size())
                    .standings()
                    .forEach(standing -> ranked.add(byNumber.get(standing.trial())));
        }
        return ranked;
    }

    /**
     * Says why a trial does not train on.
     *
     * @param place among the trials of the rung, from 0
     */
    static String note(SearchState state, int rung, int place) {
        RungResult result = state.rungs().get(rung);
        Optional<Measure> best = result.standings().get(place).best();
        return String.format(
                Locale.ROOT,
                "stopped at rung %d of %d: %s, %s of %d",
                rung + 1,
                state.plan().rungs().size(),
                best.map(Measure::text).orElse("no held-out result"),
                ordinal(place + 1),
                result.standings().size());
    }

    private static String ordinal(int place) {
        boolean isTeen = place % 100 / 10 == 1;
        return place
                + switch (isTeen ? 0 : place % 10) {
                    case 1 -> "st";
                    case 2 -> "nd";
                    case 3 -> "rd";
                    default -> "th";
                };
    }
}
