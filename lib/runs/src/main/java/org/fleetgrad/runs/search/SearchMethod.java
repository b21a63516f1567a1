package org.fleetgrad.runs.search;

import java.util.Locale;

/** How a search chooses values, and how long each trial trains. */
public enum SearchMethod {
    /** Values are drawn; each trial trains to its end. */
    RANDOM,
    /** Every combination of listed values; each trial trains to its end. */
    GRID,
    /** Values are drawn; only the best of each rung train on, for a multiple of the budget (Jamieson and Talwalkar 2016). */
    HALVING;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
