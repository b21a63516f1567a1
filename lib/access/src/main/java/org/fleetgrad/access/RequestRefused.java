package org.fleetgrad.access;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.protocol.ProblemKind;
import org.jspecify.annotations.Nullable;

/** Ends a request with a problem (RFC 9457): the rule, the numbers, and headers of the response. */
public final class RequestRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final String OPEN_INFERENCE = "/v2";
    private static final String OPEN_AI = "/v1/";

    private final transient ProblemKind kind;
    private final transient Map<String, Object> members;
    private final transient Map<String, String> headers;

    /** Refuses a request with a sentence that has the numbers. */
    public RequestRefused(ProblemKind kind, String detail) {
        this(kind, detail, Map.of(), Map.of());
    }

    /** Refuses a request with a sentence, and the same numbers as members of the problem. */
    public RequestRefused(ProblemKind kind, String detail, Map<String, Object> members) {
        this(kind, detail, members, Map.of());
    }

    /** Refuses a request with a sentence, members of the problem, and headers of the response. */
    public RequestRefused(ProblemKind kind, String detail, Map<String, Object> members, Map<String, String> headers) {
        // No stack trace: this is a response, not a failure, and hostile input must not make it costly.
        super(detail, null, false, false);
        this.kind = kind;
        this.members = members;
        this.headers = headers;
    }

    /** Refuses a request that may succeed if it is retried after a second. */
    public static RequestRefused forNow(ProblemKind kind, String detail) {
        return new RequestRefused(kind, detail, Map.of(), Map.of("Retry-After", "1"));
    }

    /** Returns the rule that was broken. */
    public ProblemKind kind() {
        return kind;
    }

    /** Returns the sentence with the numbers. */
    public String detail() {
        return String.valueOf(getMessage());
    }

    /** Returns the members of the problem beside the standard ones. */
    public Map<String, Object> members() {
        return members;
    }

    /** Returns the headers of the response. */
    public Map<String, String> headers() {
        return headers;
    }

    /** Returns all members of the problem on a path, in the order in which they are written. */
    public Map<String, Object> body(@Nullable String path) {
        Map<String, Object> body = body();
        if (path != null && path.startsWith(OPEN_INFERENCE)) {
            // The member that clients of the Open Inference Protocol read.
            body.put("error", detail());
        }
        if (path != null && path.startsWith(OPEN_AI)) {
            // The member that OpenAI's clients show.
            body.put("message", detail());
        }
        return body;
    }

    /** Returns the members that the problem has on every path. */
    public Map<String, Object> body() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", kind.type());
        body.put("title", kind.title());
        body.put("status", kind.status());
        body.put("code", kind.status());
        body.put("detail", detail());
        // Sorted: Map.of has another order in each process.
        body.putAll(new TreeMap<>(members));
        return body;
    }
}
