package org.fleetgrad.client;

import java.io.IOException;

/** The server's certificate is not trusted, or the server has none. A retry would not help. */
public final class UntrustedServerException extends IOException {

    private static final long serialVersionUID = 1L;

    UntrustedServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
