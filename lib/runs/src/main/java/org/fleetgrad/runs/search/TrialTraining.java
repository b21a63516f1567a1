package org.fleetgrad.runs.search;

import java.io.IOException;
import java.util.List;

/** Trains a trial in a process of its own. */
@FunctionalInterface
public interface TrialTraining {

    /**
     * Trains, and returns when the process has ended. How it ended stands in the trial's folder.
     *
     * @param words the arguments of {@code fleetgrad train}
     * @return what the process said last; empty if it said nothing
     * @throws IOException if it cannot be started
     * @throws InterruptedException if the search is to end
     */
    String train(Trial trial, List<String> words) throws IOException, InterruptedException;
}
