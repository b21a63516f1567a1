package org.fleetgrad.files;

import java.io.IOException;
import java.io.OutputStream;

/** Produces a file's content. */
@FunctionalInterface
public interface Content {

    /**
     * Writes all of the content. The stream is buffered, and the caller closes it. A second call must write the same
     * bytes.
     */
    void writeTo(OutputStream out) throws IOException;
}
