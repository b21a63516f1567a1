package org.fleetgrad.ps.training;

/** Runs the turns of the one who changes a run: in a thread of its own, or where a simulation lets them run. */
interface Applier {

    /** Begins: recovers the run, and then takes a turn whenever it is woken, until it is closed. */
    void start(SubmissionQueue.Turns turns);

    /** Makes a turn follow soon; if one is under way, another one follows it. */
    void wake();

    /** Returns when the last turn is over, and the run has ended. */
    void close();
}
