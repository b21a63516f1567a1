package org.fleetgrad.ps.security;

import java.util.Optional;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.Routes;
import org.jspecify.annotations.Nullable;

/** Decides about every request from its head alone. Thread-safe. */
public final class Guard {

    private static final String SCHEME = "Bearer ";

    private final Optional<Tokens> tokens;

    /**
     * Makes a guard.
     *
     * @param tokens empty if the server has no keys: then everybody may do everything
     */
    public Guard(Optional<Tokens> tokens) {
        this.tokens = tokens;
    }

    /**
     * The part of a request that decides.
     *
     * @param path          as the client wrote it; a path with escapes matches no row of the table
     * @param isInitial     whether the request puts a first parameter set and cannot overwrite one
     * @param authorization the header {@code Authorization}
     * @param worker        the header {@code X-Worker}
     */
    public record Head(
            String method,
            String path,
            boolean isInitial,
            @Nullable String authorization,
            @Nullable String worker) {}

    /** Decides about one request. */
    public Decision decide(Head head) {
        if (tokens.isEmpty()) {
            return new Decision.Granted(Caller.ANYBODY);
        }
        String operation = RouteTable.operation(head.method(), head.path(), head.isInitial());
        if (RouteTable.isOpen(operation)) {
            return new Decision.Open();
        }
        String authorization = head.authorization();
        if (authorization == null || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return new Decision.Unauthenticated(
                    "the request has no token: send 'Authorization: Bearer <token>' with a token of POST "
                            + Routes.ISSUE_TOKEN,
                    false);
        }
        Verification verification =
                tokens.get().verify(authorization.substring(SCHEME.length()).strip());
        if (verification instanceof Verification.Expired expired) {
            return new Decision.Unauthenticated("the token expired at " + expired.at(), true);
        }
        if (verification instanceof Verification.Valid valid) {
            return decide(head, operation, valid.caller());
        }
        return new Decision.Unauthenticated("the token is invalid: this server did not issue it", true);
    }

    private static Decision decide(Head head, String operation, Caller caller) {
        if (!RouteTable.mayDo(caller.role(), operation)) {
            return new Decision.Forbidden("the role %s may not %s; it may %s"
                    .formatted(
                            caller.role().label(),
                            Printable.text(operation),
                            String.join(", ", RouteTable.of(caller.role()))));
        }
        if (head.worker() != null && !caller.mayActAs(head.worker())) {
            return new Decision.Forbidden(otherWorker(caller, head.worker()));
        }
        return new Decision.Granted(caller);
    }

    /** Returns the message for a caller that acts for another worker. */
    public static String otherWorker(Caller caller, String worker) {
        return "the token belongs to %s and is not valid for worker '%s'"
                .formatted(caller.describe(), Printable.text(worker));
    }
}
