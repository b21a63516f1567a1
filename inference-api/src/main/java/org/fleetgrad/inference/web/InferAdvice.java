package org.fleetgrad.inference.web;

import org.fleetgrad.inference.infer.InvalidInferException;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers the errors of the Open Inference Protocol in its own form, {@code {"error": "..."}}. */
@RestControllerAdvice(assignableTypes = {InferController.class, ModelController.class})
@Order(Ordered.HIGHEST_PRECEDENCE)
class InferAdvice {

    private static final Logger LOG = LoggerFactory.getLogger(InferAdvice.class);

    /** An error. */
    record ErrorReply(String error) {}

    @ExceptionHandler({InvalidInferException.class, InvalidParameterException.class})
    ResponseEntity<ErrorReply> invalid(RuntimeException failure) {
        return answer(HttpStatus.BAD_REQUEST, failure);
    }

    @ExceptionHandler
    ResponseEntity<ErrorReply> invalidImages(InvalidImagesException failure) {
        return answer(
                failure.rule() == InvalidImagesException.Rule.TOO_MANY
                        ? HttpStatus.CONTENT_TOO_LARGE
                        : HttpStatus.BAD_REQUEST,
                failure);
    }

    @ExceptionHandler
    ResponseEntity<ErrorReply> tooLarge(BodyTooLargeException failure) {
        return answer(HttpStatus.CONTENT_TOO_LARGE, failure);
    }

    @ExceptionHandler
    ResponseEntity<ErrorReply> refused(RefusedException refusal) {
        return answer(refusal.status(), refusal);
    }

    @ExceptionHandler
    ResponseEntity<ErrorReply> bug(Exception failure) {
        LOG.error("a request failed", failure);
        return answer(HttpStatus.INTERNAL_SERVER_ERROR, new IllegalStateException("see the log of the service"));
    }

    private static ResponseEntity<ErrorReply> answer(HttpStatus status, RuntimeException reason) {
        ResponseEntity.BodyBuilder builder = ResponseEntity.status(status).contentType(MediaType.APPLICATION_JSON);
        if (status == HttpStatus.SERVICE_UNAVAILABLE) {
            builder.header(HttpHeaders.RETRY_AFTER, ProblemAdvice.RETRY_AFTER_SECONDS);
        }
        return builder.body(new ErrorReply(String.valueOf(reason.getMessage())));
    }
}
