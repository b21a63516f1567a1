package org.fleetgrad.access;

import java.time.Duration;
import java.util.Map;
import org.fleetgrad.protocol.ProblemKind;

/** The decision about a request. */
public sealed interface Decision {

    /**
     * Returns this decision if the request may go on.
     *
     * @throws RequestRefused if it may not
     */
    default Decision admit() {
        if (this instanceof Refused refused) {
            throw refused.refusal();
        }
        return this;
    }

    /** The request must not go on. */
    sealed interface Refused extends Decision {

        /** Returns the response. */
        RequestRefused refusal();
    }

    /** The route is open to everybody; the caller is not authenticated. */
    record Open() implements Decision {}

    /**
     * The request is allowed.
     *
     * @param caller the caller
     */
    record Granted(Caller caller) implements Decision {}

    /**
     * The caller is not authenticated.
     *
     * @param detail   whether the token is missing, expired or invalid
     * @param hasToken whether there was a token
     */
    record Unauthenticated(String detail, boolean hasToken) implements Refused {

        /** The header repeats the detail (RFC 6750 section 3): some clients never show the body of a 401. */
        @Override
        public RequestRefused refusal() {
            String challenge = "Bearer realm=\"fleetgrad\"";
            String header = hasToken
                    ? "%s, error=\"invalid_token\", error_description=\"%s\"".formatted(challenge, detail)
                    : challenge;
            return new RequestRefused(
                    ProblemKind.UNAUTHENTICATED, detail, Map.of(), Map.of("WWW-Authenticate", header));
        }
    }

    /**
     * The caller is known, but not allowed to do this.
     *
     * @param detail the role, and the routes that it may use
     */
    record Forbidden(String detail) implements Refused {
        @Override
        public RequestRefused refusal() {
            return new RequestRefused(ProblemKind.FORBIDDEN, detail);
        }
    }

    /**
     * The caller sends requests too often.
     *
     * @param detail the limit
     * @param pause  time until it may retry
     */
    record Limited(String detail, Duration pause) implements Refused {
        @Override
        public RequestRefused refusal() {
            // RFC 9110 allows only whole seconds in the header.
            long seconds = Math.max(1, pause.plusSeconds(1).minusNanos(1).toSeconds());
            return new RequestRefused(
                    ProblemKind.TOO_MANY_REQUESTS,
                    "%s: retry in %d s".formatted(detail, seconds),
                    Map.of("waitMs", pause.toMillis()),
                    Map.of("Retry-After", Long.toString(seconds)));
        }
    }
}
