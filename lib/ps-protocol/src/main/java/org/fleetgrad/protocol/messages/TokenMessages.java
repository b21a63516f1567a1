package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/** The messages that exchange keys for a token. The {@code code} of a reply is its HTTP status. */
public final class TokenMessages {

    private TokenMessages() {}

    /**
     * Requests a token.
     *
     * @param accessKey names the role
     * @param secretKey proves it
     * @param worker    id of the worker that the token is for; only with the keys of workers or operators
     */
    public record IssueTokenRequest(
            @Nullable String accessKey,
            @Nullable String secretKey,
            @Nullable String worker) {

        /** Leaves the keys out: they must not appear in a log. */
        @Override
        public String toString() {
            return "IssueTokenRequest[worker=%s]".formatted(worker);
        }
    }

    /**
     * Issues a token.
     *
     * @param token     sent with every other call, as {@code Authorization: Bearer <token>}
     * @param role      what its bearer may do: {@code worker}, {@code reader}, {@code evaluator} or {@code operator}
     * @param expiresMs milliseconds until the token expires
     */
    public record IssueTokenReply(int code, String token, String role, long expiresMs) {

        /** Leaves the token out: it must not appear in a log. */
        @Override
        public String toString() {
            return "IssueTokenReply[code=%d, role=%s, expiresMs=%d]".formatted(code, role, expiresMs);
        }
    }
}
