package org.fleetgrad.inference.web;

import jakarta.servlet.http.HttpServletRequest;
import org.fleetgrad.access.RequestRefused;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers the refusals of OpenAI's routes with the member that OpenAI's clients show, too. */
@RestControllerAdvice(assignableTypes = {CompletionController.class, LanguageModelsController.class})
@Order(Ordered.HIGHEST_PRECEDENCE)
class OpenAiAdvice {

    @ExceptionHandler
    ResponseEntity<Object> refused(RequestRefused refused, HttpServletRequest request) {
        return ResponseEntity.status(refused.kind().status())
                .headers(headers -> refused.headers().forEach(headers::set))
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(refused.body(request.getRequestURI()));
    }
}
