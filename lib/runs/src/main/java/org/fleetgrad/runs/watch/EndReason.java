package org.fleetgrad.runs.watch;

import java.util.Locale;

/** Why a run ended. */
public enum EndReason {
    /** The held-out result reached the target. */
    TARGET,
    /** Every epoch is done. */
    EPOCHS,
    /** The last step was made. */
    STEPS,
    /** The held-out score no longer got better. */
    PATIENCE,
    /** Somebody stopped it, with Ctrl-C or SIGTERM. */
    STOPPED;

    /** Returns the name in reports. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
