package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * Asks for a lease.
 *
 * @param id          the id that the worker wants; if absent, the server draws one
 * @param description what the worker is, for people
 * @param deadline    epoch milliseconds at which the worker will be gone, if it knows
 * @param device      what it computes on, such as {@code cpu}
 * @param accessKey   names the worker's role, if the server has keys
 * @param secretKey   proves it
 */
public record RegisterWorkerRequest(
        @Nullable String id,
        @Nullable String description,
        @Nullable Long deadline,
        @Nullable String device,
        @Nullable String accessKey,
        @Nullable String secretKey) {

    /** Asks a server without keys. */
    public RegisterWorkerRequest(
            @Nullable String id, @Nullable String description, @Nullable Long deadline, @Nullable String device) {
        this(id, description, deadline, device, null, null);
    }

    /** Returns the same request with keys. */
    public RegisterWorkerRequest withKeys(String access, String secret) {
        return new RegisterWorkerRequest(id, description, deadline, device, access, secret);
    }

    /** Leaves the keys out: a log is no place for them. */
    @Override
    public String toString() {
        return "RegisterWorkerRequest[id=%s, description=%s, deadline=%s, device=%s]"
                .formatted(id, description, deadline, device);
    }
}
