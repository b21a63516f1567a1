package org.fleetgrad.cli.settings;

import java.util.Locale;

/** What is done about stale gradients; ps-service's own names. */
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

    /** Tells whether workers are to run ahead with the optimizer's momentum, so that there must be one. */
    public boolean wantsMomentum() {
        return this == LOOK_AHEAD || this == LOOK_AHEAD_SLIM;
    }

    @Override
    public String toString() {
        return setting();
    }
}
