package org.fleetgrad.load.result;

import java.util.List;

/**
 * The result of a run.
 *
 * @param phaseBegins when each phase began, in seconds since the run's beginning
 * @param course      accuracy and latency over time
 * @param slotSeconds length of the shortest interval of the course
 */
public record LoadResult(
        LoadFigures all,
        List<LoadFigures> phases,
        List<Double> phaseBegins,
        List<CoursePoint> course,
        double slotSeconds) {

    /**
     * An interval of a run, with as many answers as a share needs.
     *
     * @param seconds  the middle of its requests, since the run's beginning
     * @param answered requests of it that were answered
     * @param failed   requests of it that failed
     * @param accuracy share of correct answers; NaN if nothing was answered
     * @param low      lower end of the 95% confidence interval of the accuracy; NaN if nothing was answered
     * @param high     its upper end
     * @param p50Ms    median latency, in ms
     * @param p99Ms    99th percentile, in ms
     */
    public record CoursePoint(
            double seconds,
            long answered,
            long failed,
            double accuracy,
            double low,
            double high,
            double p50Ms,
            double p99Ms) {}

    public LoadResult {
        phases = List.copyOf(phases);
        phaseBegins = List.copyOf(phaseBegins);
        course = List.copyOf(course);
    }
}
