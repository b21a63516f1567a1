package org.fleetgrad.ps.web.security;

import java.util.Optional;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.IssuedToken;
import org.fleetgrad.access.TokenDesk;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.IssueTokenReply;
import org.fleetgrad.protocol.messages.IssueTokenRequest;
import org.fleetgrad.ps.web.request.RequestMembers;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** {@code POST /issueToken}. */
@RestController
class TokenController {

    private final TokenDesk desk;

    TokenController(TokenDesk desk) {
        this.desk = desk;
    }

    @PostMapping(Routes.ISSUE_TOKEN)
    IssueTokenReply issue(@RequestBody IssueTokenRequest request) {
        Optional<String> worker = Optional.ofNullable(request.worker()).map(RequestMembers::workerId);
        Caller caller = desk.caller(request.accessKey(), request.secretKey(), worker);
        IssuedToken token = desk.issue(caller);
        return new IssueTokenReply(
                200, token.text(), caller.role().label(), token.lifetime().toMillis());
    }
}
