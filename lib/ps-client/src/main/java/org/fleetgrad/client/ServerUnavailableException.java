package org.fleetgrad.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The server could not be reached, or stayed busy, for the client's complete retry time. */
public final class ServerUnavailableException extends IOException {

    private static final long serialVersionUID = 1L;

    ServerUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
