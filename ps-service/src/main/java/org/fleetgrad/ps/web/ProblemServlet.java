package org.fleetgrad.ps.web;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * A hot route: one method on one path, without the cost of Spring MVC (docs/adr). What it throws is answered as the same
 * problems that the other routes answer.
 */
abstract class ProblemServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(ProblemServlet.class);
    private static final long MOST_DRAINED = 1 << 20;

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
            try {
                answer(request, response);
            } catch (RequestRefused refused) {
                drain(request);
                throw refused;
            }
        });
    }

    /**
     * Reads a short rest of the body away. A connection that is closed on unread bytes is reset, and a client that is
     * still sending may then never see why it was refused.
     */
    static void drain(HttpServletRequest request) {
        // Who waits for a 100 has not sent the body yet, and a long one is not worth its reading.
        if (request.getHeader("Expect") != null || request.getContentLengthLong() > MOST_DRAINED) {
            return;
        }
        try {
            request.getInputStream().skip(MOST_DRAINED);
        } catch (IOException gone) {
            LOG.debug("a refused client is gone", gone);
        }
    }

    /** A part of an answer. */
    @FunctionalInterface
    interface Part {
        void run() throws IOException;
    }

    /** Runs a part of an answer and turns what it throws into a problem. */
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
