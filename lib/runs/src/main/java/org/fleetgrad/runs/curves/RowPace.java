package org.fleetgrad.runs.curves;

/**
 * Decides how often a row is written: at every poll at first, then ever less often, so that a run of seconds has smooth
 * curves and a run of days small files (about 20,000 rows for a day). Confined to one thread.
 */
final class RowPace {

    /** The pause after a time is this share of it. */
    private static final double SHARE = 1 / 2000.0;
    /** In seconds. */
    private static final double LONGEST_PAUSE = 10;

    private double next;

    /** Returns whether a row is due, and if so, counts it as written. */
    boolean isDue(double seconds) {
        if (seconds < next) {
            return false;
        }
        next = seconds + Math.min(seconds * SHARE, LONGEST_PAUSE);
        return true;
    }
}
