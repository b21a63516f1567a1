package org.fleetgrad.pipelineruns;

import java.util.Locale;

/** Where the stages of a pipeline run. */
public enum StagePlaces {
    /** All in one process, each in a thread. */
    THREADS,
    /** Each in a process of this machine. */
    PROCESSES,
    /** Each in a container of this machine's Docker. */
    DOCKER;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
