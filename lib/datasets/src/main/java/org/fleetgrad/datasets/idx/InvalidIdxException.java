package org.fleetgrad.datasets.idx;

import org.fleetgrad.datasets.InvalidDatasetException;

/** A file breaks the IDX format; the message has its name and the numbers. */
public final class InvalidIdxException extends InvalidDatasetException {

    private static final long serialVersionUID = 1L;

    InvalidIdxException(String message) {
        super(message);
    }

    InvalidIdxException(String message, Throwable cause) {
        super(message, cause);
    }
}
