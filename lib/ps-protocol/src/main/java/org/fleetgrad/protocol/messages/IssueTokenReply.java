package org.fleetgrad.protocol.messages;

/**
 * Issues a token.
 *
 * @param code      200
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
