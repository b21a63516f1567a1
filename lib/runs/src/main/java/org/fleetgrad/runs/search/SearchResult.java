package org.fleetgrad.runs.search;

import java.nio.file.Path;
import java.util.List;

/**
 * What a search came to so far.
 *
 * @param folder of the search
 * @param trials the best first; those of later rungs before those of earlier ones
 * @param open   trials that have more to do: they failed, were stopped, or have not begun
 */
public record SearchResult(Path folder, SearchPlan plan, List<TrialResult> trials, int open) {

    /** Copies the trials. */
    public SearchResult {
        trials = List.copyOf(trials);
    }
}
