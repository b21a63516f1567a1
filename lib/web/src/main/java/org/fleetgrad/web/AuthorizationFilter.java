package org.fleetgrad.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.HeaderNames;
import tools.jackson.databind.json.JsonMapper;

/** Refuses requests that their caller may not make; runs before every route, and reads no body. */
public final class AuthorizationFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;
    private static final String CALLER = AuthorizationFilter.class.getName();

    private final transient Guard guard;
    private final transient JsonMapper json;

    public AuthorizationFilter(Guard guard, JsonMapper json) {
        this.guard = guard;
        this.json = json;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<Caller> caller;
        try {
            caller = guard.admit(head(request));
            if (caller.isEmpty() && request.getMethod().equals("POST")) {
                // The body has arrived already: SmallBodyBuffering waited for it.
                Guard.requireShort(request.getContentLengthLong());
            }
        } catch (RequestRefused refused) {
            ProblemResponse.write(request, response, json, refused);
            return;
        }
        caller.ifPresent(known -> request.setAttribute(CALLER, known));
        chain.doFilter(request, response);
        if (caller.isEmpty() && response.getStatus() == HttpServletResponse.SC_UNAUTHORIZED) {
            guard.failed(head(request));
        }
    }

    /** Returns the caller of a request that was admitted; empty on a route that is open to everybody. */
    public static Optional<Caller> callerOf(ServletRequest request) {
        return request.getAttribute(CALLER) instanceof Caller caller ? Optional.of(caller) : Optional.empty();
    }

    private static Guard.Head head(HttpServletRequest request) {
        // The raw path, not as the container decodes it: a path with escapes is in no table.
        String path = request.getRequestURI().substring(request.getContextPath().length());
        boolean isInitial = "*".equals(request.getHeader("If-None-Match")) && request.getHeader("If-Match") == null;
        return new Guard.Head(
                request.getMethod(),
                path,
                isInitial,
                request.getHeader("Authorization"),
                request.getHeader(HeaderNames.WORKER),
                request.getRemoteAddr());
    }
}
