package org.fleetgrad.ps.web.security;

import java.util.Optional;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.ProblemKind;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.web.request.RequestMembers;
import org.jspecify.annotations.Nullable;

/** The worker that a request names as its sender, in a header, on any route. */
public final class NamedSender {

    private static final String NO_ID =
            "the header %s has %s".formatted(HeaderNames.WORKER, RequestMembers.WORKER_ID_RULE);

    private NamedSender() {}

    /**
     * Renews the sender's lease; refuses a name that no worker can have.
     *
     * @param caller of the request, who may name only workers that it may act as
     * @param worker the header; {@code null} if the request has none
     */
    public static void renew(Optional<Caller> caller, @Nullable String worker, Leases leases) {
        if (worker == null || !Callers.mayActAs(caller, worker)) {
            return;
        }
        // Only registered workers have a lease, so the characters of a live id need no check.
        if (!leases.renew(worker) && !RequestMembers.isWorkerId(worker)) {
            throw new RequestRefused(ProblemKind.INVALID_PARAMETER, NO_ID);
        }
    }
}
