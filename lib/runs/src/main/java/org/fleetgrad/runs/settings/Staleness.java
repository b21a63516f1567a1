package org.fleetgrad.runs.settings;

import java.util.Locale;

/** How stale gradients are treated; the names are ps-service's. */
public enum Staleness {
    NONE,
    DAMPED,
    DELAY_COMPENSATED,
    ADAPTIVE_DELAY_COMPENSATED,
    GAP_AWARE,
    LOOK_AHEAD,
    LOOK_AHEAD_SLIM;

    /** Returns the rule as ps-service's setting and the command line have it. */
    public String setting() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns whether the rule lets workers look ahead by the optimizer's momentum, so that momentum must be above 0. */
    public boolean wantsMomentum() {
        return this == LOOK_AHEAD || this == LOOK_AHEAD_SLIM;
    }

    /** Returns whether the server retains the values of earlier versions for the rule. */
    boolean needsBase() {
        return this == DELAY_COMPENSATED || this == ADAPTIVE_DELAY_COMPENSATED || this == GAP_AWARE;
    }

    /** Returns whether the server stores an array per worker for the rule. */
    boolean keepsOneOfEachWorker() {
        return this == LOOK_AHEAD || this == ADAPTIVE_DELAY_COMPENSATED;
    }

    @Override
    public String toString() {
        return setting();
    }
}
