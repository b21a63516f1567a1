package org.fleetgrad.ps.web.filter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.web.security.Callers;

/** Renews the lease of the worker that a request names as its sender, on every route. */
final class LeaseRenewalFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private final transient Leases leases;

    LeaseRenewalFilter(Leases leases) {
        this.leases = leases;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String worker = request.getHeader(HeaderNames.WORKER);
        if (worker != null && Callers.mayActAs(request, worker)) {
            leases.renew(worker);
        }
        chain.doFilter(request, response);
    }
}
