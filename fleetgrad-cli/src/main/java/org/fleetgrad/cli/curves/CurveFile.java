package org.fleetgrad.cli.curves;

import java.io.Closeable;
import java.io.IOException;

/** A file that takes the rows of a run's curves. After each call another program can read what was added. */
interface CurveFile extends Closeable {

    /**
     * Says that a course of versions begins: at the first row, and when a server came back at an earlier version.
     *
     * @param first the row that will be added next; what the file has of later versions no longer counts
     */
    void begin(CurveRow first) throws IOException;

    /** Adds a row. */
    void add(CurveRow row) throws IOException;
}
