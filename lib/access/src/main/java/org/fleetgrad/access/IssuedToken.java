package org.fleetgrad.access;

import java.time.Duration;

/**
 * A fresh token.
 *
 * @param text     the signed token, for the header {@code Authorization}
 * @param lifetime time until it expires
 */
public record IssuedToken(String text, Duration lifetime) {

    @Override
    public String toString() {
        return "IssuedToken[lifetime=%s]".formatted(lifetime);
    }
}
