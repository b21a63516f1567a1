package org.fleetgrad.ps.web.problem;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.fleetgrad.protocol.HeaderNames;
import tools.jackson.databind.json.JsonMapper;

/** Writes a problem as a response, for filters, which run outside Spring MVC. */
public final class ProblemResponse {

    private ProblemResponse() {}

    /** Writes the problem, unless a response has already begun. */
    public static void write(HttpServletResponse response, JsonMapper json, RequestRefused refused) throws IOException {
        if (response.isCommitted()) {
            return;
        }
        response.reset();
        refused.headers().forEach(response::setHeader);
        byte[] body = json.writeValueAsBytes(refused.body());
        response.setStatus(refused.kind().status());
        response.setContentType(HeaderNames.PROBLEM_JSON);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
