package org.fleetgrad.load;

/**
 * Converts times of the load's clock, which measures, to the time of day.
 *
 * @param clock      the load's clock
 * @param beginNanos its time when the run began
 * @param beginMs    the time of day then, in ms since 1970
 */
record LoadTimes(LoadClock clock, long beginNanos, double beginMs) {

    double wallMs(long nanos) {
        return beginMs + (nanos - beginNanos) / 1e6;
    }
}
