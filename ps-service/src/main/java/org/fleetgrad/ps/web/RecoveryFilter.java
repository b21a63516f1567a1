package org.fleetgrad.ps.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.fleetgrad.ps.training.Training;
import tools.jackson.databind.json.JsonMapper;

/** Answers 503 while what was kept is being brought back, to all but those who ask how the server is. */
final class RecoveryFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;
    private static final String OPERATIONS = "/actuator/";

    private final transient Training training;
    private final transient JsonMapper json;

    RecoveryFilter(Training training, JsonMapper json) {
        this.training = training;
        this.json = json;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (training.isRecovered() || request.getRequestURI().startsWith(OPERATIONS)) {
            chain.doFilter(request, response);
        } else {
            ProblemAnswer.write(
                    response,
                    json,
                    new RequestRefused(
                            ProblemKind.RECOVERING,
                            "the server is bringing back what was kept: ask again in a second",
                            Map.of(),
                            Map.of("Retry-After", "1")));
        }
    }
}
