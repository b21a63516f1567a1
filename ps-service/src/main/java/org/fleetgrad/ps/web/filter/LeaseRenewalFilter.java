package org.fleetgrad.ps.web.filter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.web.security.Callers;
import org.fleetgrad.web.AuthorizationFilter;
import org.fleetgrad.web.ProblemResponse;
import tools.jackson.databind.json.JsonMapper;

/**
 * Renews the lease of the worker that a request names as its sender, on every route; refuses a name that no worker can
 * have.
 */
final class LeaseRenewalFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private final transient Leases leases;

    private final transient JsonMapper json;

    LeaseRenewalFilter(Leases leases, JsonMapper json) {
        this.leases = leases;
        this.json = json;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            Callers.renewLease(AuthorizationFilter.callerOf(request), request.getHeader(HeaderNames.WORKER), leases);
        } catch (RequestRefused refused) {
            ProblemResponse.write(request, response, json, refused);
            return;
        }
        chain.doFilter(request, response);
    }
}
