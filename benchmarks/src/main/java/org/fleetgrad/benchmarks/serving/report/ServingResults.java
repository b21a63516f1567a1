package org.fleetgrad.benchmarks.serving.report;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.benchmarks.serving.places.Places;
import org.fleetgrad.benchmarks.serving.torn.TornExperiment;
import org.fleetgrad.benchmarks.serving.versions.GapExperiment;

/**
 * The results of the experiments that were made; the others are empty.
 *
 * @param places training and answering together
 * @param gaps   disagreement between workers
 * @param torn   torn answers
 */
public record ServingResults(
        Optional<Places> places, List<GapExperiment.Figure> gaps, List<TornExperiment.Figure> torn) {}
