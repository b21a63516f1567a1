package org.fleetgrad.files;

import java.io.IOException;
import java.io.OutputStream;

/** Produces a file's content. */
@FunctionalInterface
public interface Content {

    /**
     * Writes all of the content; the stream is buffered, and closed by the caller. May be called again, and writes the
     * same bytes then.
     */
    void writeTo(OutputStream out) throws IOException;
}
