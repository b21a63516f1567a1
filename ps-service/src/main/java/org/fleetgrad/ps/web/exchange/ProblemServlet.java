package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.fleetgrad.ps.web.problem.ProblemAnswer;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * A hot route: one method on one path, without the cost of Spring MVC (docs/adr). An exception is answered with the same
 * problem as on the other routes.
 */
abstract class ProblemServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(ProblemServlet.class);

    private final String method;
    private final transient JsonMapper json;

    ProblemServlet(String method, JsonMapper json) {
        this.method = method;
        this.json = json;
    }

    /** Answers a request of this route's method. */
    abstract void answer(HttpServletRequest request, HttpServletResponse response) throws IOException;

    @Override
    protected final void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        guarded(response, () -> {
            if (!method.equals(request.getMethod())) {
                throw new RequestRefused(
                        ProblemKind.METHOD_NOT_ALLOWED,
                        "%s knows %s, not %s".formatted(request.getRequestURI(), method, request.getMethod()),
                        Map.of(),
                        Map.of("Allow", method));
            }
            answer(request, response);
        });
    }

    /** A part of an answer. */
    @FunctionalInterface
    interface Part {
        void run() throws IOException;
    }

    /** Runs a part of an answer, and answers a problem if it throws. */
    final void guarded(HttpServletResponse response, Part part) throws IOException {
        try {
            part.run();
        } catch (RequestRefused refused) {
            write(response, refused);
        } catch (RuntimeException bug) {
            LOG.error("a request failed", bug);
            write(response, new RequestRefused(ProblemKind.INTERNAL, "the server's log says why"));
        }
    }

    /** Answers with JSON. */
    final void writeJson(HttpServletResponse response, int status, Object body) throws IOException {
        write(response, status, "application/json", json.writeValueAsBytes(body));
    }

    private void write(HttpServletResponse response, RequestRefused refused) throws IOException {
        ProblemAnswer.write(response, json, refused);
    }

    private static void write(HttpServletResponse response, int status, String type, byte[] body) throws IOException {
        response.setStatus(status);
        response.setContentType(type);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
