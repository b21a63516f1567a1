package org.fleetgrad.ps.web.problem;

import java.util.LinkedHashMap;
import java.util.Map;
import org.fleetgrad.protocol.messages.Problem;

/** Makes the members of a problem+json response, RFC 9457. */
public final class ProblemBody {

    private ProblemBody() {}

    /** Returns the members, in the order in which they are written. */
    public static Map<String, Object> of(RequestRefused refused) {
        ProblemKind kind = refused.kind();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", Problem.TYPE_PREFIX + kind.rule());
        body.put("title", kind.title());
        body.put("status", kind.status());
        body.put("code", kind.status());
        body.put("detail", String.valueOf(refused.getMessage()));
        body.putAll(refused.members());
        return body;
    }
}
