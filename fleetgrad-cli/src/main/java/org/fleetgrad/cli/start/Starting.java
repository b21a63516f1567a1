package org.fleetgrad.cli.start;

import java.io.IOException;

/** A program that starts, as whoever waits for it sees it. */
public interface Starting {

    /** Returns its name in messages. */
    String name();

    /** Returns what it has done so far. */
    Activity activity() throws IOException, InterruptedException;

    /** Says where its log is, as a person finds it. */
    String logPlace();

    /** Returns the last line of its log; empty if there is none. */
    String lastLine() throws IOException, InterruptedException;
}
