package org.fleetgrad.runs.curves;

import java.io.Closeable;
import java.io.IOException;

/** A file that takes the rows of a run's curves. After each call another program can read what was added. */
interface CurveFile extends Closeable {

    /**
     * Begins a sequence of versions: at the first row, and when a server was restored at an earlier version.
     *
     * @param first the row that will be added next; the file's rows of later versions no longer count
     */
    void begin(CurveRow first) throws IOException;

    /** Adds a row. */
    void add(CurveRow row) throws IOException;
}
