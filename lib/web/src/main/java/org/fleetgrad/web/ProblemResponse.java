package org.fleetgrad.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.HeaderNames;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.json.JsonMapper;

/** Writes a refusal as a problem (RFC 9457). */
public final class ProblemResponse {

    private ProblemResponse() {}

    /** Writes it in a filter, which runs outside Spring MVC, unless a response has already begun. */
    public static void write(
            HttpServletRequest request, HttpServletResponse response, JsonMapper json, RequestRefused refused)
            throws IOException {
        if (response.isCommitted()) {
            return;
        }
        response.reset();
        refused.headers().forEach(response::setHeader);
        byte[] body = json.writeValueAsBytes(refused.body(request.getRequestURI()));
        response.setStatus(refused.kind().status());
        response.setContentType(HeaderNames.PROBLEM_JSON);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    /** Returns it as a response of Spring MVC. */
    public static ResponseEntity<Object> entity(RequestRefused refused) {
        return entity(refused, new HttpHeaders());
    }

    /** Returns it as a response of Spring MVC, with more headers. */
    public static ResponseEntity<Object> entity(RequestRefused refused, HttpHeaders given) {
        // A copy: for an exception without headers, Spring passes immutable headers.
        HttpHeaders headers = new HttpHeaders();
        headers.putAll(given);
        refused.headers().forEach(headers::set);
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        return new ResponseEntity<>(
                refused.body(), headers, HttpStatusCode.valueOf(refused.kind().status()));
    }
}
