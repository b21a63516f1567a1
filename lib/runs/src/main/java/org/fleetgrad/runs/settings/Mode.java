package org.fleetgrad.runs.settings;

import java.util.Locale;

/** When gradients are applied as a step; the names are ps-service's. */
public enum Mode {
    ASYNC,
    SYNC,
    SSP;

    /** Returns the mode as ps-service's setting has it. */
    public String setting() {
        return name().toLowerCase(Locale.ROOT);
    }
}
