package org.fleetgrad.runs.search;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.runs.settings.Until;

/** The arguments of {@code fleetgrad train} for a trial. */
public final class TrialWords {

    private TrialWords() {}

    /** Returns the words that make the trial what it is: those of all trials, and its values, which overrule them. */
    public static List<String> of(List<String> words, List<Variation> variations, List<String> values) {
        List<String> all = new ArrayList<>(words);
        for (int i = 0; i < values.size(); i++) {
            all.add("--%s=%s".formatted(variations.get(i).option(), values.get(i)));
        }
        return all;
    }

    /**
     * Returns the words with which the trial's process starts.
     *
     * @param isResumed whether it goes on in its folder
     */
    static List<String> of(SearchPlan plan, Trial trial, Until until, boolean isResumed) {
        List<String> all =
                of(plan.words(), plan.variations(), List.copyOf(trial.values().values()));
        all.add("--until=" + until);
        all.add("--out=" + trial.folder());
        all.add("--name=" + trial.name());
        all.add("--tag=" + plan.name());
        all.add("--plain");
        if (isResumed) {
            all.add("--resume=" + trial.folder());
        }
        return all;
    }
}
