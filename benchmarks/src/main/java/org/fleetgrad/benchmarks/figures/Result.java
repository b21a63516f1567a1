package org.fleetgrad.benchmarks.figures;

/** The result of a measurement: a figure, or the reason why there is none. */
public sealed interface Result permits Figure, Missing {

    /** Returns the figure's name. */
    String name();
}
