package org.fleetgrad.access;

import java.util.Map;
import java.util.Optional;
import org.fleetgrad.access.Tokens.IssuedToken;
import org.fleetgrad.access.Tokens.Verification;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.TokenMessages.IssueTokenReply;
import org.fleetgrad.protocol.messages.TokenMessages.IssueTokenRequest;
import org.jspecify.annotations.Nullable;

/** Issues tokens for keys. A refusal is an {@link RequestRefused}. Thread-safe. */
public final class TokenIssuer {

    private final Keys keys;
    private final Tokens tokens;

    /** Makes an issuer for the holders of keys. */
    public TokenIssuer(Keys keys, Tokens tokens) {
        this.keys = keys;
        this.tokens = tokens;
    }

    /** Returns the verifier of tokens; empty if the server has no keys, and so no tokens. */
    public Optional<Tokens> tokens() {
        return keys.isEmpty() ? Optional.empty() : Optional.of(tokens);
    }

    /** Refuses a request whose keys may not register a worker. If the server has no keys, every request may. */
    public void requireWorkerKeys(@Nullable String accessKey, @Nullable String secretKey) {
        if (!keys.isEmpty()) {
            requireMayBeWorker(role(accessKey, secretKey));
        }
    }

    /** Issues a token for a worker; empty if the server has no keys. */
    public Optional<IssuedToken> forWorker(String id) {
        return tokens().map(tokens -> tokens.issue(Caller.worker(id)));
    }

    /**
     * Authenticates a token request and returns its caller.
     *
     * @param worker id of the worker that the token is for, if it is for one
     * @throws RequestRefused when the service has no keys, the keys belong to no role, or the role may not act as a worker
     */
    public Caller authenticate(@Nullable String accessKey, @Nullable String secretKey, Optional<String> worker) {
        if (keys.isEmpty()) {
            throw new RequestRefused(
                    ProblemKind.SECURITY_OFF, "the server has no keys, and takes every request without a token");
        }
        Role role = role(accessKey, secretKey);
        if (worker.isEmpty()) {
            return Caller.of(role);
        }
        requireMayBeWorker(role);
        return Caller.worker(worker.get());
    }

    /**
     * Returns whether a header {@code Authorization} has a token that this service issued to the worker, expired or not.
     * The operator's token is accepted, too.
     */
    public boolean isTokenOf(String worker, @Nullable String authorization) {
        if (authorization == null) {
            return false;
        }
        Verification verification = tokens.verify(Guard.token(authorization));
        return (verification instanceof Verification.Valid valid
                        && valid.caller().mayActAs(worker))
                || (verification instanceof Verification.Expired expired
                        && expired.caller().worker().filter(worker::equals).isPresent());
    }

    /**
     * Answers a token request of a service that knows no workers.
     *
     * @throws RequestRefused if it is for a worker, or not authenticated
     */
    public IssueTokenReply issue(@Nullable IssueTokenRequest request) {
        if (request == null || request.worker() != null) {
            throw new RequestRefused(
                    ProblemKind.MALFORMED,
                    "a worker's token is of the parameter server: leave 'worker' out of the request");
        }
        return issue(authenticate(request.accessKey(), request.secretKey(), Optional.empty()));
    }

    /** Refuses a token request that cannot be read, without the parser's message: it quotes the body, and so a key. */
    public static RequestRefused unreadable() {
        return new RequestRefused(ProblemKind.MALFORMED, "the body is not the JSON that this route takes");
    }

    /** Issues a token for an authenticated caller, as a response. */
    public IssueTokenReply issue(Caller caller) {
        IssuedToken token = tokens.issue(caller);
        return new IssueTokenReply(
                200, token.text(), caller.role().label(), token.lifetime().toMillis());
    }

    private Role role(@Nullable String accessKey, @Nullable String secretKey) {
        if (accessKey == null || secretKey == null) {
            throw refused("the request lacks 'accessKey' or 'secretKey'");
        }
        return keys.roleOf(accessKey, secretKey).orElseThrow(() -> refused("the keys are those of no role"));
    }

    private static RequestRefused refused(String detail) {
        return Guard.unauthenticated(detail, true);
    }

    private static void requireMayBeWorker(Role role) {
        if (role != Role.WORKER && role != Role.OPERATOR) {
            throw new RequestRefused(
                    ProblemKind.FORBIDDEN,
                    "the role %s may be no worker; POST %s without 'worker' gives it a token of its own"
                            .formatted(role.label(), Routes.ISSUE_TOKEN),
                    Map.of("role", role.label()));
        }
    }
}
