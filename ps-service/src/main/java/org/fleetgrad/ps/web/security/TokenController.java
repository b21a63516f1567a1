package org.fleetgrad.ps.web.security;

import java.util.Optional;
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
        return desk.issue(desk.caller(request.accessKey(), request.secretKey(), worker));
    }
}
