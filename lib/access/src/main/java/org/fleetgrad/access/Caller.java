package org.fleetgrad.access;

import java.util.Optional;

/**
 * The caller of a request.
 *
 * @param role   the caller's role
 * @param worker id of the worker, if the caller is one
 */
public record Caller(Role role, Optional<String> worker) {

    /** Any caller, if the server has no keys. */
    public static final Caller ANONYMOUS = new Caller(Role.OPERATOR, Optional.empty());

    /** Returns a caller that is no worker. */
    public static Caller of(Role role) {
        return new Caller(role, Optional.empty());
    }

    /** Returns the worker with this id. */
    public static Caller worker(String id) {
        return new Caller(Role.WORKER, Optional.of(id));
    }

    /**
     * Returns whether the caller may act for the worker {@code id}: renew its lease, push in its name, unregister it.
     */
    public boolean mayActAs(String id) {
        return role == Role.OPERATOR
                || (role == Role.WORKER && worker.filter(id::equals).isPresent());
    }

    /** Describes the caller in messages. */
    public String describe() {
        return worker.map(id -> "%s '%s'".formatted(role.label(), id)).orElse(role.label());
    }
}
