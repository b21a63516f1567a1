package org.fleetgrad.cli.settings;

import java.util.Locale;

/** What of a run outlives its parameter server; ps-service's own names. */
public enum DurabilityMode {
    NONE,
    CHECKPOINT,
    JOURNAL;

    /** Returns the mode as ps-service's setting has it. */
    public String setting() {
        return name().toLowerCase(Locale.ROOT);
    }
}
