package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * Requests a lease.
 *
 * @param id          the id that the worker requests; if absent, the server generates one
 * @param description what the worker is, for people
 * @param deadline    epoch milliseconds at which the worker will be gone, if it knows
 * @param device      device that it computes on, such as {@code cpu}
 * @param address     where it serves predictions while it trains, such as {@code http://10.0.0.7:29700}, if it does
 * @param activation  the platform's id of the activation that the worker is, if it is one: a new attempt of the same
 *     activation replaces the earlier one at once
 * @param accessKey   names the worker's role, if the server has keys
 * @param secretKey   proves it
 */
public record RegisterWorkerRequest(
        @Nullable String id,
        @Nullable String description,
        @Nullable Long deadline,
        @Nullable String device,
        @Nullable String address,
        @Nullable String activation,
        @Nullable String accessKey,
        @Nullable String secretKey) {

    /** Registers with a server without keys, for a worker that serves no predictions. */
    public RegisterWorkerRequest(
            @Nullable String id, @Nullable String description, @Nullable Long deadline, @Nullable String device) {
        this(id, description, deadline, device, null, null, null, null);
    }

    /** Returns the same request for a worker that serves predictions at an address, or at none. */
    public RegisterWorkerRequest servingAt(@Nullable String serving) {
        return new RegisterWorkerRequest(id, description, deadline, device, serving, activation, accessKey, secretKey);
    }

    /** Returns the same request for a worker that is this activation, or none. */
    public RegisterWorkerRequest ofActivation(@Nullable String own) {
        return new RegisterWorkerRequest(id, description, deadline, device, address, own, accessKey, secretKey);
    }

    /** Returns the same request under another id. */
    public RegisterWorkerRequest under(String other) {
        return new RegisterWorkerRequest(
                other, description, deadline, device, address, activation, accessKey, secretKey);
    }

    /** Returns the same request with keys. */
    public RegisterWorkerRequest withKeys(String access, String secret) {
        return new RegisterWorkerRequest(id, description, deadline, device, address, activation, access, secret);
    }

    /** Leaves the keys out: they must not appear in a log. */
    @Override
    public String toString() {
        return "RegisterWorkerRequest[id=%s, description=%s, deadline=%s, device=%s, address=%s, activation=%s]"
                .formatted(id, description, deadline, device, address, activation);
    }
}
