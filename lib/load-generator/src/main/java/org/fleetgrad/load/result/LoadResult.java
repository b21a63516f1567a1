package org.fleetgrad.load.result;

import java.util.List;

/**
 * The result of a run.
 *
 * @param all          figures of all requests
 * @param phases       figures of each phase
 * @param phaseBegins  when each phase began, in seconds since the run's beginning
 * @param course       accuracy and latency over time
 * @param slotSeconds  length of an interval of the course
 */
public record LoadResult(
        LoadFigures all,
        List<LoadFigures> phases,
        List<Double> phaseBegins,
        List<CoursePoint> course,
        double slotSeconds) {

    /** Copies the lists. */
    public LoadResult {
        phases = List.copyOf(phases);
        phaseBegins = List.copyOf(phaseBegins);
        course = List.copyOf(course);
    }
}
