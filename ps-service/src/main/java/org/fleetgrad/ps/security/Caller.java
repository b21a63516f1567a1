package org.fleetgrad.ps.security;

import java.util.Optional;

/**
 * Whoever makes a request.
 *
 * @param role   what it may do
 * @param worker id of the worker that it is, where it is one
 */
public record Caller(Role role, Optional<String> worker) {

    /** Everybody, where the server has no keys. */
    public static final Caller ANYBODY = new Caller(Role.OPERATOR, Optional.empty());

    /** A caller that is no worker. */
    public static Caller of(Role role) {
        return new Caller(role, Optional.empty());
    }

    /** The worker of this id. */
    public static Caller worker(String id) {
        return new Caller(Role.WORKER, Optional.of(id));
    }

    /** Tells whether the caller may speak for the worker {@code id}: renew its lease, push in its name, end it. */
    public boolean mayActAs(String id) {
        return role == Role.OPERATOR
                || (role == Role.WORKER && worker.filter(id::equals).isPresent());
    }

    /** Says who it is, for messages. */
    public String describe() {
        return worker.map(id -> "%s '%s'".formatted(role.label(), id)).orElse(role.label());
    }
}
