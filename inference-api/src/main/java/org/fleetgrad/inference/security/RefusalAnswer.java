package org.fleetgrad.inference.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.fleetgrad.access.AccessRefused;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemTitles;
import org.fleetgrad.protocol.messages.Problem;
import org.fleetgrad.web.AuthorizationFilter;
import tools.jackson.databind.json.JsonMapper;

/** Writes a refusal as a problem (RFC 9457), with the same members as ps-service for the same refusal. */
final class RefusalAnswer implements AuthorizationFilter.Refusals {

    private static final String OPEN_INFERENCE = "/v2";

    private final JsonMapper json;

    RefusalAnswer(JsonMapper json) {
        this.json = json;
    }

    @Override
    public void answer(HttpServletRequest request, HttpServletResponse response, AccessRefused refused)
            throws IOException {
        if (response.isCommitted()) {
            return;
        }
        response.reset();
        refused.headers().forEach(response::setHeader);
        Map<String, Object> problem = body(refused);
        if (request.getRequestURI().startsWith(OPEN_INFERENCE)) {
            // The member that clients of the Open Inference Protocol read.
            problem.put("error", refused.detail());
        }
        byte[] body = json.writeValueAsBytes(problem);
        response.setStatus(refused.status());
        response.setContentType(HeaderNames.PROBLEM_JSON);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    static Map<String, Object> body(AccessRefused refused) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", Problem.TYPE_PREFIX + refused.rule());
        body.put("title", ProblemTitles.of(refused.rule()));
        body.put("status", refused.status());
        body.put("code", refused.status());
        body.put("detail", refused.detail());
        body.putAll(refused.members());
        return body;
    }
}
