package org.fleetgrad.ps.web.security;

import org.fleetgrad.access.TokenIssuer;
import org.fleetgrad.ps.membership.Leases;

/** Makes the holders of tokens of a server without a container. */
public final class TokenHoldersInProcess {

    private TokenHoldersInProcess() {}

    public static TokenHolders of(TokenIssuer issuer, Leases leases) {
        return new TokenHolders(issuer, leases);
    }
}
