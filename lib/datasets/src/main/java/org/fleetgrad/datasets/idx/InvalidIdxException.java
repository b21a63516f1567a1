package org.fleetgrad.datasets.idx;

import org.fleetgrad.datasets.InvalidDatasetException;

/** Says how a file breaks the IDX format, with its name and the numbers. */
public final class InvalidIdxException extends InvalidDatasetException {

    private static final long serialVersionUID = 1L;

    InvalidIdxException(String message) {
        super(message);
    }

    InvalidIdxException(String message, Throwable cause) {
        super(message, cause);
    }
}
