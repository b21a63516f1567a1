package org.fleetgrad.runs.search;

import java.util.ArrayList;
import java.util.List;

/**
 * A search as its folder has it: the plan, and what was decided. What each trial has done is in the trial's own folder.
 *
 * @param rungs the results of the rungs that are over, but for the last
 */
public record SearchState(SearchPlan plan, List<RungResult> rungs) {

    /** Copies the results. */
    public SearchState {
        rungs = List.copyOf(rungs);
    }

    SearchState with(RungResult result) {
        List<RungResult> all = new ArrayList<>(rungs);
        all.add(result);
        return new SearchState(plan, all);
    }
}
