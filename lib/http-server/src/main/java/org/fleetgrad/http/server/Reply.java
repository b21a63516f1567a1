package org.fleetgrad.http.server;

import java.util.HashMap;
import java.util.Map;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemRules;
import org.fleetgrad.protocol.ProblemTitles;
import org.fleetgrad.protocol.messages.Problem;

/**
 * An HTTP response.
 *
 * @param status  HTTP status
 * @param headers beside the length
 * @param body    bytes, or an object that is written as JSON
 */
public record Reply(int status, Map<String, String> headers, Object body) {

    private static final String CONTENT_TYPE = "Content-Type";
    private static final int BUSY = 503;

    /** Refuses a request. */
    Reply(RequestRefused refused) {
        this(refused.kind().status(), headers(refused), refused.body());
    }

    private static Map<String, String> headers(RequestRefused refused) {
        Map<String, String> headers = new HashMap<>(refused.headers());
        headers.put(CONTENT_TYPE, HeaderNames.PROBLEM_JSON);
        return headers;
    }

    /** Answers with JSON. */
    public static Reply json(Object body) {
        return new Reply(200, Map.of(CONTENT_TYPE, "application/json"), body);
    }

    /** Refuses with a problem. */
    public static Reply problem(int status, String rule, String detail) {
        return problem(status, new Problem(Problem.TYPE_PREFIX + rule, ProblemTitles.of(rule), status, status, detail));
    }

    /** Refuses with a problem that is serialized already, or has more members. */
    public static Reply problem(int status, Object problem) {
        return new Reply(status, Map.of(CONTENT_TYPE, HeaderNames.PROBLEM_JSON), problem);
    }

    /** Asks the client to retry in a second. */
    public static Reply later(String rule, String detail) {
        return problem(BUSY, rule, detail).with("Retry-After", "1");
    }

    /** Refuses a method. */
    public static Reply wrongMethod(String allowed) {
        return problem(405, ProblemRules.METHOD_NOT_ALLOWED, "the path allows " + allowed)
                .with("Allow", allowed);
    }

    /** Returns the same with another header. */
    public Reply with(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new Reply(status, more, body);
    }
}
