package org.fleetgrad.client.internal.http;

import java.io.IOException;

/** A response is larger than the client accepts. A retry would not help. */
public final class OversizedResponseException extends IOException {

    private static final long serialVersionUID = 1L;

    OversizedResponseException(String message) {
        super(message);
    }
}
