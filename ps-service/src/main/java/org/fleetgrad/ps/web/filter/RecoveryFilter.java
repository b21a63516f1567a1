package org.fleetgrad.ps.web.filter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.OutcomeProblems;
import org.fleetgrad.web.ProblemResponse;
import tools.jackson.databind.json.JsonMapper;

/** Answers 503 while the run is being recovered, except for the operations routes and the page, which says so. */
final class RecoveryFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;
    private static final String OPERATIONS = "/actuator/";
    private static final String PAGE_FILES = Routes.PAGE_FILE.substring(0, Routes.PAGE_FILE.indexOf('{'));

    private final transient Training training;
    private final transient JsonMapper json;

    RecoveryFilter(Training training, JsonMapper json) {
        this.training = training;
        this.json = json;
    }

    private static boolean isAnsweredAlways(String path) {
        return path.startsWith(OPERATIONS) || path.equals(Routes.PAGE) || path.startsWith(PAGE_FILES);
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (training.isRecovered() || isAnsweredAlways(request.getRequestURI())) {
            chain.doFilter(request, response);
        } else {
            ProblemResponse.write(request, response, json, OutcomeProblems.recovering());
        }
    }
}
