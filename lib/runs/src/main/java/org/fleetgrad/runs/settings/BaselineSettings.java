package org.fleetgrad.runs.settings;

import java.nio.file.Path;

/** The run with which a report compares a run. */
public sealed interface BaselineSettings {

    /** Nothing. */
    record None() implements BaselineSettings {}

    /** A run with one worker on this machine, which is trained first. */
    record Trained() implements BaselineSettings {}

    /**
     * An earlier run.
     *
     * @param folder of that run
     */
    record Earlier(Path folder) implements BaselineSettings {}
}
