package org.fleetgrad.http.body;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.Request;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ProblemKind;

/**
 * Refuses bodies that do not arrive in time: 408, after which the connection is closed (RFC 9110 section 15.5.9). The refusal ends
 * the body, so whoever reads it throws it to its route.
 */
public final class LateBody {

    private LateBody() {}

    /** Makes the refusal of a body that is too slow. */
    public static RequestRefused refusal(String detail) {
        return new RequestRefused(ProblemKind.REQUEST_TIMEOUT, detail, Map.of(), Map.of("Connection", "close"));
    }

    /** Returns the refusal if the connection was silent for too long in the middle of a body; otherwise the failure itself. */
    public static Throwable reason(Throwable failure, Request request) {
        if (!(failure instanceof TimeoutException)) {
            return failure;
        }
        long idle =
                request.getConnectionMetaData().getConnection().getEndPoint().getIdleTimeout();
        return refusal("nothing of the body came for %d s"
                .formatted(Duration.ofMillis(idle).toSeconds()));
    }
}
