package org.fleetgrad.ps.web.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.web.request.RequestMembers;
import org.fleetgrad.web.AuthorizationFilter;
import org.jspecify.annotations.Nullable;

/** Which workers the caller of a request may be. */
public final class Callers {

    private static final String NO_ID =
            "the header %s has %s".formatted(HeaderNames.WORKER, RequestMembers.WORKER_ID_RULE);

    private Callers() {}

    /** Refuses a request that acts as a worker which its caller may not be; {@code null} names no worker. */
    public static void requireMayActAs(HttpServletRequest request, @Nullable String worker) {
        if (worker != null) {
            Guard.requireMayActAs(AuthorizationFilter.callerOf(request).orElseThrow(), worker);
        }
    }

    /**
     * Renews the lease of the worker that a request names as its sender, in a header; refuses a name that no worker can
     * have.
     *
     * @param caller of the request, who may name only workers that it may act as; an unknown caller may act as none
     * @param worker the header; {@code null} if the request has none
     */
    public static void renewLease(Optional<Caller> caller, @Nullable String worker, Leases leases) {
        if (worker == null || caller.filter(known -> known.mayActAs(worker)).isEmpty()) {
            return;
        }
        // Only registered workers have a lease, so the characters of a live id need no check.
        if (!leases.renew(worker) && !RequestMembers.isWorkerId(worker)) {
            throw new RequestRefused(ProblemKind.INVALID_PARAMETER, NO_ID);
        }
    }
}
