package org.fleetgrad.cli.settings;

import java.nio.file.Path;

/** What a run is compared with in its report. */
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
