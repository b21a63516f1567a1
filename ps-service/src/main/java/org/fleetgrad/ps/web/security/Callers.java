package org.fleetgrad.ps.web.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.fleetgrad.ps.security.Caller;
import org.fleetgrad.ps.security.Guard;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;
import org.jspecify.annotations.Nullable;

/** The caller of a request: the filter before every route notes it here, and routes ask for it. */
public final class Callers {

    private static final String ATTRIBUTE = Callers.class.getName();

    private Callers() {}

    /** Notes the caller of a request. */
    public static void put(HttpServletRequest request, Caller caller) {
        request.setAttribute(ATTRIBUTE, caller);
    }

    /** Tells whether the request may act as a worker; a request without a caller may act as none. */
    public static boolean mayActAs(HttpServletRequest request, String worker) {
        return request.getAttribute(ATTRIBUTE) instanceof Caller caller && caller.mayActAs(worker);
    }

    /** Refuses a request that acts as a worker which its caller may not be; {@code null} names no worker. */
    public static void requireMayActAs(HttpServletRequest request, @Nullable String worker) {
        if (worker != null && !mayActAs(request, worker)) {
            Caller caller = (Caller) request.getAttribute(ATTRIBUTE);
            throw new RequestRefused(ProblemKind.FORBIDDEN, Guard.otherWorker(caller, worker), Map.of());
        }
    }
}
