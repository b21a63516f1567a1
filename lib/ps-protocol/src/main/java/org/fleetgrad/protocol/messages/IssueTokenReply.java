package org.fleetgrad.protocol.messages;

/**
 * Gives a token.
 *
 * @param code      200
 * @param token     what every other call carries, as {@code Authorization: Bearer <token>}
 * @param role      what its bearer may do: {@code worker}, {@code reader}, {@code evaluator} or {@code operator}
 * @param expiresMs milliseconds until the token expires
 */
public record IssueTokenReply(int code, String token, String role, long expiresMs) {

    /** Leaves the token out: a log is no place for it. */
    @Override
    public String toString() {
        return "IssueTokenReply[code=%d, role=%s, expiresMs=%d]".formatted(code, role, expiresMs);
    }
}
