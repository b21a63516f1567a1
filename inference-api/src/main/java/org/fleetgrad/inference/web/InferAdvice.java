package org.fleetgrad.inference.web;

import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.prediction.Refusals;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers the errors of the Open Inference Protocol in its own form, {@code {"error": "..."}}. */
@RestControllerAdvice(assignableTypes = {InferController.class, ModelController.class, ModelStatisticsController.class})
@Order(Ordered.HIGHEST_PRECEDENCE)
class InferAdvice {

    private static final Logger LOG = LoggerFactory.getLogger(InferAdvice.class);

    record ErrorReply(String error) {}

    @ExceptionHandler
    ResponseEntity<ErrorReply> refused(RequestRefused refused) {
        return ResponseEntity.status(refused.kind().status())
                .headers(headers -> refused.headers().forEach(headers::set))
                .contentType(MediaType.APPLICATION_JSON)
                .body(new ErrorReply(refused.detail()));
    }

    @ExceptionHandler
    ResponseEntity<ErrorReply> invalidImages(InvalidImagesException failure) {
        return refused(Refusals.of(failure));
    }

    @ExceptionHandler
    ResponseEntity<ErrorReply> bug(Exception failure) {
        LOG.error("a request failed", failure);
        return refused(new RequestRefused(ProblemKind.INTERNAL, "see the log of the service"));
    }
}
