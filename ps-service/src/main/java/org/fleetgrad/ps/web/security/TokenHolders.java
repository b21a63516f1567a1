package org.fleetgrad.ps.web.security;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.access.TokenIssuer;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.ps.membership.Leases;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The workers that got a token from this server. All workers share one key, so the key alone must not obtain the token
 * of a worker with a running lease: such a worker must show its current token, expired or not. After a restart the
 * server may sign with another key, so a worker that registered before the restart gets its next token for the key
 * alone once more. Thread-safe.
 */
@Component
public class TokenHolders {

    private static final int MOST = 10_000;

    private final TokenIssuer issuer;
    private final Leases leases;
    private final Set<String> workers = ConcurrentHashMap.newKeySet();

    TokenHolders(TokenIssuer issuer, Leases leases) {
        this.issuer = issuer;
        this.leases = leases;
    }

    /** Notes that a worker got a token. */
    public void add(String worker) {
        if (workers.size() >= MOST) {
            workers.retainAll(leases.liveIds());
        }
        workers.add(worker);
    }

    /**
     * Requires a token of a worker with a running lease, if it has got one.
     *
     * @param authorization the header, which may have an expired token
     * @throws RequestRefused if it does not show one of this worker
     */
    void require(String worker, @Nullable String authorization) {
        if (workers.contains(worker) && leases.isLive(worker) && !issuer.isTokenOf(worker, authorization)) {
            throw new RequestRefused(
                    ProblemKind.FORBIDDEN,
                    "worker '%s' is registered and has a token: show it in Authorization, expired or not, to get another"
                            .formatted(worker),
                    Map.of("worker", worker));
        }
    }
}
