package org.fleetgrad.ps.web.security;

import java.util.Optional;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.TokenIssuer;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.TokenMessages.IssueTokenReply;
import org.fleetgrad.protocol.messages.TokenMessages.IssueTokenRequest;
import org.fleetgrad.ps.web.request.RequestMembers;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** {@code POST /issueToken}. */
@RestController
class ServerTokenController {

    private final TokenIssuer issuer;
    private final TokenHolders tokenHolders;

    ServerTokenController(TokenIssuer issuer, TokenHolders tokenHolders) {
        this.issuer = issuer;
        this.tokenHolders = tokenHolders;
    }

    @PostMapping(Routes.ISSUE_TOKEN)
    IssueTokenReply issue(
            @RequestBody IssueTokenRequest request,
            @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false) @Nullable String authorization) {
        Optional<String> worker = Optional.ofNullable(request.worker()).map(RequestMembers::workerId);
        Caller caller = issuer.authenticate(request.accessKey(), request.secretKey(), worker);
        worker.ifPresent(id -> tokenHolders.require(id, authorization));
        IssueTokenReply token = issuer.issue(caller);
        worker.ifPresent(tokenHolders::add);
        return token;
    }
}
