package org.fleetgrad.runs.start;

import java.io.IOException;

/** A starting program, as seen by the waiting thread. */
public interface Starting {

    /** Returns its name in messages. */
    String name();

    /** Returns what it has done so far. */
    ProgramActivity activity() throws IOException, InterruptedException;

    /** Describes where its log is, for the user. */
    String logPlace();

    /** Returns the last line of its log; empty if there is none. */
    String lastLine() throws IOException, InterruptedException;
}
