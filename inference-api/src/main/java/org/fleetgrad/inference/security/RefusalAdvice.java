package org.fleetgrad.inference.security;

import java.util.Map;
import org.fleetgrad.access.AccessRefused;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers refused requests for tokens; ordered before the advice that handles every exception. */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class RefusalAdvice {

    @ExceptionHandler
    ResponseEntity<Map<String, Object>> refused(AccessRefused refused) {
        HttpHeaders headers = new HttpHeaders();
        refused.headers().forEach(headers::set);
        return ResponseEntity.status(refused.status())
                .headers(headers)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(RefusalAnswer.body(refused));
    }

    /** Omits the parser's message, which quotes the body, and so a key. */
    @ExceptionHandler
    ResponseEntity<Map<String, Object>> unreadable(HttpMessageNotReadableException failure) {
        return refused(AccessRefused.malformed("the body is not the JSON that this route takes"));
    }
}
