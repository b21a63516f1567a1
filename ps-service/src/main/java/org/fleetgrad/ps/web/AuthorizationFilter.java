package org.fleetgrad.ps.web;

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
import tools.jackson.databind.json.JsonMapper;

/** Stands before every route: whoever may not ask is answered here. */
final class AuthorizationFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    /** More than keys and a worker's description can have: nobody is known yet whose body is read. */
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
        // As it came, not as the container reads it: what is written in a roundabout way is in no table.
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
            throw unauthenticated(unknown.detail(), unknown.hasToken());
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

    /**
     * Makes the answer to a caller who is not known. The header repeats the detail, RFC 6750 section 3: some clients
     * never show the body of a 401.
     *
     * @param hasToken whether something was given that does not count; who gave nothing is told the scheme alone
     */
    static RequestRefused unauthenticated(String detail, boolean hasToken) {
        String challenge = "Bearer realm=\"fleetgrad\"";
        return new RequestRefused(
                ProblemKind.UNAUTHENTICATED,
                detail,
                Map.of(),
                Map.of(
                        "WWW-Authenticate",
                        hasToken
                                ? "%s, error=\"invalid_token\", error_description=\"%s\"".formatted(challenge, detail)
                                : challenge));
    }
}
