package org.fleetgrad.ps.web.filter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.web.problem.ProblemAnswer;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;
import org.fleetgrad.ps.web.request.RequestMembers;
import org.fleetgrad.ps.web.security.Callers;
import tools.jackson.databind.json.JsonMapper;

/** Renews the lease of the worker that a request names as its sender, on every route; refuses a name that no worker can have. */
final class LeaseRenewalFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private static final String NO_ID =
            "the header %s has %s".formatted(HeaderNames.WORKER, RequestMembers.WORKER_ID_RULE);

    private final transient Leases leases;

    private final transient JsonMapper json;

    LeaseRenewalFilter(Leases leases, JsonMapper json) {
        this.leases = leases;
        this.json = json;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String worker = request.getHeader(HeaderNames.WORKER);
        // Only registered workers have a lease, so the id of a live one needs no look at its characters.
        if (worker != null && Callers.mayActAs(request, worker) && !leases.renew(worker)) {
            if (!RequestMembers.isWorkerId(worker)) {
                ProblemAnswer.write(response, json, new RequestRefused(ProblemKind.INVALID_PARAMETER, NO_ID));
                return;
            }
        }
        chain.doFilter(request, response);
    }
}
