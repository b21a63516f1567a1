package org.fleetgrad.ps.web;

import java.util.Map;

/** Ends a request with a problem: the rule, the numbers, and headers that belong to the answer. */
final class RequestRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient ProblemKind kind;
    private final transient Map<String, Object> members;
    private final transient Map<String, String> headers;

    RequestRefused(ProblemKind kind, String detail) {
        this(kind, detail, Map.of(), Map.of());
    }

    RequestRefused(ProblemKind kind, String detail, Map<String, Object> members) {
        this(kind, detail, members, Map.of());
    }

    RequestRefused(ProblemKind kind, String detail, Map<String, Object> members, Map<String, String> headers) {
        // No stack trace: it is an answer, not a failure, and hostile input must not make it costly.
        super(detail, null, false, false);
        this.kind = kind;
        this.members = members;
        this.headers = headers;
    }

    ProblemKind kind() {
        return kind;
    }

    Map<String, Object> members() {
        return members;
    }

    Map<String, String> headers() {
        return headers;
    }
}
