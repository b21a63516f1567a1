package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

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
