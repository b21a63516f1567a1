package org.fleetgrad.http.server;

import java.util.HashMap;
import java.util.Map;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemKind;

/**
 * An HTTP response.
 *
 * @param status  HTTP status
 * @param headers beside the length
 * @param body    bytes, or an object that is written as JSON
 */
public record Reply(int status, Map<String, String> headers, Object body) {

    private static final String CONTENT_TYPE = "Content-Type";

    /** Refuses a request. */
    public Reply(RequestRefused refused) {
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
    public static Reply problem(ProblemKind kind, String detail) {
        return new Reply(new RequestRefused(kind, detail));
    }

    /** Refuses with a problem that is serialized already. */
    public static Reply problem(int status, byte[] problem) {
        return new Reply(status, Map.of(CONTENT_TYPE, HeaderNames.PROBLEM_JSON), problem);
    }

    /** Asks the client to retry in a second. */
    public static Reply later(ProblemKind kind, String detail) {
        return new Reply(RequestRefused.forNow(kind, detail));
    }

    /** Refuses a method. */
    public static Reply wrongMethod(String allowed) {
        return new Reply(new RequestRefused(
                ProblemKind.METHOD_NOT_ALLOWED, "the path allows " + allowed, Map.of(), Map.of("Allow", allowed)));
    }

    /** Returns the same with another header. */
    public Reply with(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new Reply(status, more, body);
    }
}
