package org.fleetgrad.access;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.access.Tokens.Verification;
import org.fleetgrad.access.rate.Rates;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.jspecify.annotations.Nullable;

/** Decides about every request from its head alone, without any HTTP framework. Thread-safe. */
public final class Guard {

    private static final String SCHEME = "Bearer ";

    /** Enough for keys and a worker's description. The sender is not authenticated yet, so its body must be short. */
    private static final int MAX_UNAUTHENTICATED_BYTES = 64 * 1024;

    private final RouteTable routes;
    private final Optional<Tokens> tokens;
    private final Rates rates;

    /**
     * Makes a guard.
     *
     * @param routes the service's routes
     * @param tokens empty if the server has no keys: then everybody may do everything, without a rate limit
     * @param rates  the rate limits of callers
     */
    public Guard(RouteTable routes, Optional<Tokens> tokens, Rates rates) {
        this.routes = routes;
        this.tokens = tokens;
        this.rates = rates;
    }

    /**
     * The parts of a request that the decision depends on.
     *
     * @param path          as the client sent it; a path with escapes matches no row of the table
     * @param isInitial     whether the request cannot overwrite anything: {@code If-None-Match: *} alone
     * @param authorization the header {@code Authorization}
     * @param worker        the header {@code X-Worker}
     * @param address       of the other end of the connection, as text
     */
    public record Head(
            String method,
            String path,
            boolean isInitial,
            @Nullable String authorization,
            @Nullable String worker,
            String address) {}

    /**
     * Admits or refuses a request, as {@link #authorize} does, and refuses TRACE.
     *
     * @throws RequestRefused if its caller may not make it, or nobody may
     */
    public Optional<Caller> admit(Head head) {
        Optional<Caller> caller = authorize(head);
        if (head.method().equals("TRACE")) {
            throw new RequestRefused(
                    ProblemKind.METHOD_NOT_ALLOWED,
                    "TRACE is answered nowhere: the answer would repeat the request's headers, a token among them",
                    Map.of(),
                    Map.of("Allow", routes.methods(head.path())));
        }
        return caller;
    }

    /**
     * Returns the caller of a request that it may make; empty on a route that is open to everybody.
     *
     * @throws RequestRefused if the caller may not make it, or makes too many
     */
    public Optional<Caller> authorize(Head head) {
        if (tokens.isEmpty()) {
            return Optional.of(Caller.ANONYMOUS);
        }
        String operation = routes.operation(head.method(), head.path(), head.isInitial());
        if (routes.isOpen(operation)) {
            if (head.method().equals("POST")) {
                throttled(head).ifPresent(Guard::limit);
            }
            return Optional.empty();
        }
        String authorization = head.authorization();
        if (authorization == null || !isBearer(authorization)) {
            throw unauthenticated(
                    "the request has no token: send 'Authorization: Bearer <token>' with a token of POST "
                            + Routes.ISSUE_TOKEN,
                    false);
        }
        String token = token(authorization);
        Verification verification = tokens.get().verify(token);
        if (verification instanceof Verification.Expired expired) {
            throw unauthenticated("the token expired at " + expired.at(), true);
        }
        if (verification instanceof Verification.Valid valid) {
            rates.request(token, head.address()).ifPresent(Guard::limit);
            requirePermission(head, operation, valid.caller());
            return Optional.of(valid.caller());
        }
        Optional<Rates.Throttled> throttled = throttled(head);
        rates.failed(head.address(), "");
        throttled.ifPresent(Guard::limit);
        throw unauthenticated("the token is invalid: this server did not issue it", true);
    }

    /** Counts wrong keys in a request; later requests with keys from the same address may have to wait. */
    public void failed(Head head) {
        rates.failed(head.address(), identity(head));
    }

    private Optional<Rates.Throttled> throttled(Head head) {
        return rates.throttled(head.address(), identity(head));
    }

    /**
     * Returns the identity that failures are counted for: so a worker gets its next token while another client guesses keys
     * behind the same address. It is not the worker's name: whoever has the key of all workers could use one name after another,
     * and guess with each.
     */
    private String identity(Head head) {
        Verification shown = tokens.orElseThrow().verify(token(String.valueOf(head.authorization())));
        if (shown instanceof Verification.Valid valid) {
            return valid.caller().role().label();
        }
        return shown instanceof Verification.Expired expired
                ? expired.caller().role().label()
                : "";
    }

    /** Refuses a request whose caller makes too many. */
    private static void limit(Rates.Throttled wait) {
        // RFC 9110 allows only whole seconds in the header.
        long seconds = Math.max(1, wait.pause().plusSeconds(1).minusNanos(1).toSeconds());
        throw new RequestRefused(
                ProblemKind.TOO_MANY_REQUESTS,
                "%s: retry in %d s".formatted(wait.detail(), seconds),
                Map.of("waitMs", wait.pause().toMillis()),
                Map.of("Retry-After", Long.toString(seconds)));
    }

    /** The header repeats the detail (RFC 6750 section 3): some clients never show the body of a 401. */
    static RequestRefused unauthenticated(String detail, boolean hasToken) {
        String challenge = "Bearer realm=\"fleetgrad\"";
        String header = hasToken
                ? "%s, error=\"invalid_token\", error_description=\"%s\"".formatted(challenge, detail)
                : challenge;
        return new RequestRefused(ProblemKind.UNAUTHENTICATED, detail, Map.of(), Map.of("WWW-Authenticate", header));
    }

    private void requirePermission(Head head, String operation, Caller caller) {
        if (!routes.mayDo(caller.role(), operation)) {
            List<String> rows = routes.permissionsOf(caller.role());
            throw new RequestRefused(
                    ProblemKind.FORBIDDEN,
                    "the role %s may not %s; it may %s"
                            .formatted(
                                    caller.role().label(),
                                    Printable.text(operation),
                                    rows.isEmpty() ? "do nothing here" : String.join(", ", rows)));
        }
        requireMayActAs(caller, head.worker());
    }

    /** Refuses a caller that acts for another worker; {@code null} names none. */
    public static void requireMayActAs(Caller caller, @Nullable String worker) {
        if (worker != null && !caller.mayActAs(worker)) {
            throw new RequestRefused(
                    ProblemKind.FORBIDDEN,
                    "the token belongs to %s and is not valid for worker '%s'"
                            .formatted(caller.describe(), Printable.text(worker)));
        }
    }

    private static boolean isBearer(String authorization) {
        return authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    }

    /** Returns the token of a header {@code Authorization}; empty if it has none. */
    static String token(String authorization) {
        return isBearer(authorization)
                ? authorization.substring(SCHEME.length()).strip()
                : "";
    }

    /**
     * Requires a short body of an unauthenticated caller.
     *
     * @param length of the body in bytes; negative if the request does not state it
     * @throws RequestRefused if the body is longer, or its length is not stated
     */
    public static void requireShort(long length) {
        if (length < 0) {
            throw new RequestRefused(
                    ProblemKind.LENGTH_REQUIRED, "the size of this body must be known before it is read");
        }
        if (length > MAX_UNAUTHENTICATED_BYTES) {
            throw new RequestRefused(
                    ProblemKind.TOO_LARGE,
                    "the body has %d bytes, accepted are %d".formatted(length, MAX_UNAUTHENTICATED_BYTES),
                    Map.of("bytes", length, "limitBytes", (long) MAX_UNAUTHENTICATED_BYTES));
        }
    }
}
