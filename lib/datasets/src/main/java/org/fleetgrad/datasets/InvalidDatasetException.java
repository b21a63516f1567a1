package org.fleetgrad.datasets;

import java.io.IOException;

/** The files of a dataset break their format; the message has the file's name and the numbers. */
public class InvalidDatasetException extends IOException {

    private static final long serialVersionUID = 1L;

    /** Makes an exception with its message. */
    public InvalidDatasetException(String message) {
        super(message);
    }

    /** Makes an exception with its message and the reader's own exception. */
    public InvalidDatasetException(String message, Throwable cause) {
        super(message, cause);
    }
}
