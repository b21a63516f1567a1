package org.fleetgrad.runs.settings;

import java.util.Locale;

/** The modes in which a run's parameter server persists its state; the names are ps-service's. */
public enum DurabilityMode {
    NONE,
    CHECKPOINT,
    JOURNAL;

    /** Returns the mode as ps-service's setting has it. */
    public String setting() {
        return name().toLowerCase(Locale.ROOT);
    }
}
