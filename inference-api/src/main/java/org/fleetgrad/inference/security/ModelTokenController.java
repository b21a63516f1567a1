package org.fleetgrad.inference.security;

import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.access.TokenIssuer;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.TokenMessages.IssueTokenReply;
import org.fleetgrad.protocol.messages.TokenMessages.IssueTokenRequest;
import org.fleetgrad.web.ProblemResponse;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** {@code POST /issueToken}: the same endpoint as ps-service's, but it issues no token for a worker's id. */
@RestController
class ModelTokenController {

    private final TokenIssuer issuer;

    ModelTokenController(TokenIssuer issuer) {
        this.issuer = issuer;
    }

    @PostMapping(Routes.ISSUE_TOKEN)
    IssueTokenReply issue(@RequestBody IssueTokenRequest request) {
        return issuer.issue(request);
    }

    /** Answers with the same members as ps-service. */
    @ExceptionHandler
    ResponseEntity<Object> refused(RequestRefused refused) {
        return ProblemResponse.entity(refused);
    }

    @ExceptionHandler
    ResponseEntity<Object> unreadable(HttpMessageNotReadableException failure) {
        return refused(TokenIssuer.unreadable());
    }
}
