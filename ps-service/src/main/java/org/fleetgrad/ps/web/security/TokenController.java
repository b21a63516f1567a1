package org.fleetgrad.ps.web.security;

import java.util.Optional;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.TokenDesk;
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
class TokenController {

    private final TokenDesk desk;
    private final TokenHolders given;

    TokenController(TokenDesk desk, TokenHolders given) {
        this.desk = desk;
        this.given = given;
    }

    @PostMapping(Routes.ISSUE_TOKEN)
    IssueTokenReply issue(
            @RequestBody IssueTokenRequest request,
            @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false) @Nullable String authorization) {
        Optional<String> worker = Optional.ofNullable(request.worker()).map(RequestMembers::workerId);
        Caller caller = desk.caller(request.accessKey(), request.secretKey(), worker);
        worker.ifPresent(id -> given.require(id, authorization));
        IssueTokenReply token = desk.issue(caller);
        worker.ifPresent(given::given);
        return token;
    }
}
