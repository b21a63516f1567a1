package org.fleetgrad.cli.settings;

import java.util.Locale;

/** What a run's parameter server keeps on disk; the names are ps-service's. */
public enum DurabilityMode {
    NONE,
    CHECKPOINT,
    JOURNAL;

    /** Returns the mode as ps-service's setting has it. */
    public String setting() {
        return name().toLowerCase(Locale.ROOT);
    }
}
