package org.fleetgrad.ps.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.security.Caller;
import org.fleetgrad.ps.security.Guard;
import org.jspecify.annotations.Nullable;

/** Who makes a request, as {@link AuthorizationFilter} found out. */
final class Callers {

    private static final String ATTRIBUTE = Callers.class.getName();

    private Callers() {}

    static void put(HttpServletRequest request, Caller caller) {
        request.setAttribute(ATTRIBUTE, caller);
    }

    /** Tells whether the request may speak for a worker; one that anybody may make speaks for none. */
    static boolean mayActAs(HttpServletRequest request, String worker) {
        return request.getAttribute(ATTRIBUTE) instanceof Caller caller && caller.mayActAs(worker);
    }

    /** Refuses a request that speaks for a worker which its caller is not. */
    static void requireMayActAs(HttpServletRequest request, @Nullable String worker) {
        if (worker != null && !mayActAs(request, worker)) {
            Caller caller = (Caller) request.getAttribute(ATTRIBUTE);
            throw new RequestRefused(ProblemKind.FORBIDDEN, Guard.otherWorker(caller, worker), Map.of());
        }
    }

    /** Returns a gradient's body, if it is the caller's to push. One without a worker is refused for that later. */
    static TensorBody requireSender(HttpServletRequest request, TensorBody gradient) {
        requireMayActAs(request, gradient.metadata().get(GradientMetadata.WORKER));
        return gradient;
    }
}
