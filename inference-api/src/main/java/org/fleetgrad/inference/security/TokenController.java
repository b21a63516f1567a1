package org.fleetgrad.inference.security;

import java.util.Optional;
import org.fleetgrad.access.AccessRefused;
import org.fleetgrad.access.TokenIssuer;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.TokenMessages.IssueTokenReply;
import org.fleetgrad.protocol.messages.TokenMessages.IssueTokenRequest;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** {@code POST /issueToken}: the same endpoint as ps-service's, but it issues no token for a worker's id. */
@RestController
class TokenController {

    private final TokenIssuer issuer;

    TokenController(TokenIssuer issuer) {
        this.issuer = issuer;
    }

    @PostMapping(Routes.ISSUE_TOKEN)
    IssueTokenReply issue(@RequestBody IssueTokenRequest request) {
        if (request.worker() != null) {
            throw AccessRefused.malformed(
                    "a worker's token is of the parameter server: leave 'worker' out of the request");
        }
        return issuer.issue(issuer.authenticate(request.accessKey(), request.secretKey(), Optional.empty()));
    }
}
