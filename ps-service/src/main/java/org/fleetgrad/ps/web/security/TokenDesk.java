package org.fleetgrad.ps.web.security;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.security.Caller;
import org.fleetgrad.ps.security.IssuedToken;
import org.fleetgrad.ps.security.Keys;
import org.fleetgrad.ps.security.Role;
import org.fleetgrad.ps.security.TokenKey;
import org.fleetgrad.ps.security.Tokens;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;
import org.jspecify.annotations.Nullable;

/** Gives tokens for keys. Thread-safe. */
public final class TokenDesk {

    private final Keys keys;
    private final Tokens tokens;

    TokenDesk(Keys keys, Tokens tokens) {
        this.keys = keys;
        this.tokens = tokens;
    }

    /** Reads and checks the settings; {@link IllegalArgumentException} says what to write instead. */
    static TokenDesk of(SecurityProperties properties, Clock clock) {
        String file = properties.tokenKeyFile();
        byte[] key = file == null ? TokenKey.random() : TokenKey.read(Path.of(file));
        return new TokenDesk(new Keys(properties.pairs()), new Tokens(key, clock, properties.tokenLifetime()));
    }

    /** Returns what verifies tokens; empty if the server has no keys, and so no tokens. */
    public Optional<Tokens> tokens() {
        return keys.isEmpty() ? Optional.empty() : Optional.of(tokens);
    }

    /** Refuses a request whose keys may not register a worker. If the server has no keys, every request may. */
    public void requireWorkerKeys(@Nullable String accessKey, @Nullable String secretKey) {
        if (!keys.isEmpty()) {
            requireMayBeWorker(role(accessKey, secretKey));
        }
    }

    /** Makes a token for a worker; empty if the server has no keys. */
    public Optional<IssuedToken> forWorker(String id) {
        return tokens().map(desk -> desk.issue(Caller.worker(id)));
    }

    /** Returns the caller that a request for a token proves to be, or refuses the request. */
    Caller caller(@Nullable String accessKey, @Nullable String secretKey, Optional<String> worker) {
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

    IssuedToken issue(Caller caller) {
        return tokens.issue(caller);
    }

    private Role role(@Nullable String accessKey, @Nullable String secretKey) {
        if (accessKey == null || secretKey == null) {
            throw refused("the request lacks 'accessKey' or 'secretKey'");
        }
        return keys.roleOf(accessKey, secretKey).orElseThrow(() -> refused("the keys are those of no role"));
    }

    private static RequestRefused refused(String detail) {
        return Unauthenticated.refusal(detail, true);
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
