package org.fleetgrad.runs.kept;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of a run from its folder. Immutable.
 *
 * @param command  that runs it: train, demo or pipeline
 * @param label    what the user calls it
 * @param began    when it began, or continued in its folder
 * @param process  that runs it
 * @param settings by name, as the report has them
 * @param network  its complete name; empty until it is known
 * @param dataset  its name; empty until it is known
 * @param best     the best held-out result so far; absent before the first
 * @param figures  of the result, by the names of the report: numbers, texts and truth values; empty until there is one
 * @param end      how it ended; absent until then
 */
public record RunFacts(
        String command,
        RunLabel label,
        Instant began,
        RunProcess process,
        Map<String, String> settings,
        String network,
        String dataset,
        Optional<Measure> best,
        Map<String, Object> figures,
        Optional<RunEnd> end) {

    public RunFacts {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    /** Returns the facts of a run that begins. */
    static RunFacts begun(
            String command, RunLabel label, Instant began, RunProcess process, Map<String, String> settings) {
        return new RunFacts(
                command, label, began, process, settings, "", "", Optional.empty(), Map.of(), Optional.empty());
    }

    /** Adds settings; one of the same name is replaced. */
    RunFacts with(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.putAll(more);
        return new RunFacts(command, label, began, process, all, network, dataset, best, figures, end);
    }

    RunFacts training(String itsNetwork, String itsDataset) {
        return new RunFacts(command, label, began, process, settings, itsNetwork, itsDataset, best, figures, end);
    }

    /** Takes a held-out result, if it is the best so far, or of another kind than those before. */
    RunFacts measured(Measure measure) {
        boolean isBest = best.isEmpty() || best.get().kind() != measure.kind() || measure.isBetterThan(best.get());
        return isBest
                ? new RunFacts(
                        command, label, began, process, settings, network, dataset, Optional.of(measure), figures, end)
                : this;
    }

    RunFacts resulting(Map<String, Object> itsFigures) {
        return new RunFacts(command, label, began, process, settings, network, dataset, best, itsFigures, end);
    }

    /** Adds a sentence to the note. */
    RunFacts noting(String sentence) {
        return new RunFacts(
                command, label.noting(sentence), began, process, settings, network, dataset, best, figures, end);
    }

    RunFacts ending(RunEnd itsEnd) {
        return new RunFacts(
                command, label, began, process, settings, network, dataset, best, figures, Optional.of(itsEnd));
    }
}
