package org.fleetgrad.ps.web.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.ProblemKind;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.web.KnownCaller;
import org.jspecify.annotations.Nullable;

/** Which workers the caller of a request may be. */
public final class Callers {

    private Callers() {}

    /** Tells whether a caller may act as a worker; an unknown caller may act as none. */
    public static boolean mayActAs(Optional<Caller> caller, String worker) {
        return caller.filter(known -> known.mayActAs(worker)).isPresent();
    }

    /** Refuses a request that acts as a worker which its caller may not be; {@code null} names no worker. */
    public static void requireMayActAs(HttpServletRequest request, @Nullable String worker) {
        if (worker != null) {
            requireMayActAs(KnownCaller.of(request).orElseThrow(), worker);
        }
    }

    /** Refuses a request that acts as a worker which its caller may not be; {@code null} names no worker. */
    public static void requireMayActAs(Caller caller, @Nullable String worker) {
        if (worker != null && !caller.mayActAs(worker)) {
            throw new RequestRefused(ProblemKind.FORBIDDEN, Guard.otherWorker(caller, worker), Map.of());
        }
    }
}
