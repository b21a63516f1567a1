package org.fleetgrad.cli.settings;

import java.nio.file.Path;

/** Where a run's baseline comes from. */
public sealed interface BaselineSettings {

    /** There is none. */
    record None() implements BaselineSettings {}

    /** One worker of this machine trains first. */
    record Trained() implements BaselineSettings {}

    /**
     * An earlier run is it.
     *
     * @param folder of that run
     */
    record Earlier(Path folder) implements BaselineSettings {}
}
