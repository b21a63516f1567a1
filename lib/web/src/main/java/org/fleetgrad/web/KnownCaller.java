package org.fleetgrad.web;

import jakarta.servlet.ServletRequest;
import java.util.Optional;
import org.fleetgrad.access.Caller;

/** The caller of a request: {@link AuthorizationFilter} sets it, and routes read it. */
public final class KnownCaller {

    private static final String ATTRIBUTE = KnownCaller.class.getName();

    private KnownCaller() {}

    static void put(ServletRequest request, Caller caller) {
        request.setAttribute(ATTRIBUTE, caller);
    }

    /** Returns the caller; empty on a route that is open to everybody. */
    public static Optional<Caller> of(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Caller caller ? Optional.of(caller) : Optional.empty();
    }
}
