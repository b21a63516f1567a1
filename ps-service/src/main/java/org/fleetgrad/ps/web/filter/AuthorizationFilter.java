package org.fleetgrad.ps.web.filter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.ps.security.Decision;
import org.fleetgrad.ps.security.Guard;
import org.fleetgrad.ps.web.problem.ProblemAnswer;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;
import org.fleetgrad.ps.web.security.Callers;
import org.fleetgrad.ps.web.security.Unauthenticated;
import tools.jackson.databind.json.JsonMapper;

/** Refuses a request whose caller may not make it; runs before every route. */
final class AuthorizationFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    /** Enough for keys and a worker's description. The caller of such a body is not known yet, so it must be short. */
    private static final int MOST_FROM_ANYBODY = 64 * 1024;

    private final transient Guard guard;
    private final transient JsonMapper json;

    AuthorizationFilter(Guard guard, JsonMapper json) {
        this.guard = guard;
        this.json = json;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            admit(request, guard.decide(head(request)));
        } catch (RequestRefused refused) {
            ProblemAnswer.write(response, json, refused);
            return;
        }
        chain.doFilter(request, response);
    }

    private static Guard.Head head(HttpServletRequest request) {
        // As it came, not as the container decodes it: a path that is not written plainly is in no table.
        String path = request.getRequestURI().substring(request.getContextPath().length());
        boolean isInitial = "*".equals(request.getHeader("If-None-Match")) && request.getHeader("If-Match") == null;
        return new Guard.Head(
                request.getMethod(),
                path,
                isInitial,
                request.getHeader("Authorization"),
                request.getHeader(HeaderNames.WORKER));
    }

    private static void admit(HttpServletRequest request, Decision decision) {
        if (decision instanceof Decision.Granted granted) {
            Callers.put(request, granted.caller());
        } else if (decision instanceof Decision.Unauthenticated unknown) {
            throw Unauthenticated.refusal(unknown.detail(), unknown.hasToken());
        } else if (decision instanceof Decision.Forbidden forbidden) {
            throw new RequestRefused(ProblemKind.FORBIDDEN, forbidden.detail());
        } else if (request.getMethod().equals("POST")) {
            requireShort(request);
        }
    }

    private static void requireShort(HttpServletRequest request) {
        long length = request.getContentLengthLong();
        if (length < 0) {
            throw new RequestRefused(
                    ProblemKind.LENGTH_REQUIRED, "the size of this body must be known before it is read");
        }
        if (length > MOST_FROM_ANYBODY) {
            throw new RequestRefused(
                    ProblemKind.TOO_LARGE,
                    "the body has %d bytes, accepted are %d".formatted(length, MOST_FROM_ANYBODY),
                    Map.of("bytes", length, "limitBytes", MOST_FROM_ANYBODY));
        }
    }
}
