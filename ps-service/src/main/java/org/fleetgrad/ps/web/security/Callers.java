package org.fleetgrad.ps.web.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.web.KnownCaller;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;
import org.jspecify.annotations.Nullable;

/** Which workers the caller of a request may be. */
public final class Callers {

    private Callers() {}

    /** Tells whether the request may act as a worker; a request without a caller may act as none. */
    public static boolean mayActAs(HttpServletRequest request, String worker) {
        return KnownCaller.of(request).filter(caller -> caller.mayActAs(worker)).isPresent();
    }

    /** Refuses a request that acts as a worker which its caller may not be; {@code null} names no worker. */
    public static void requireMayActAs(HttpServletRequest request, @Nullable String worker) {
        if (worker != null && !mayActAs(request, worker)) {
            Caller caller = KnownCaller.of(request).orElseThrow();
            throw new RequestRefused(ProblemKind.FORBIDDEN, Guard.otherWorker(caller, worker), Map.of());
        }
    }
}
