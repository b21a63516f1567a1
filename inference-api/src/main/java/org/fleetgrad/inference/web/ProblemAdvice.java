package org.fleetgrad.inference.web;

import java.util.Map;
import java.util.Set;
import org.fleetgrad.protocol.ProblemRules;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Maps every exception to the contract's problem for it. */
@RestControllerAdvice
class ProblemAdvice {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);
    static final String RETRY_AFTER_SECONDS = "1";

    @ExceptionHandler
    ResponseEntity<ProblemDetail> invalidImages(InvalidImagesException failure) {
        return switch (failure.rule()) {
            case MALFORMED -> Problems.answer(HttpStatus.BAD_REQUEST, ProblemRules.MALFORMED, failure.getMessage());
            case TOO_MANY ->
                Problems.answer(HttpStatus.CONTENT_TOO_LARGE, ProblemRules.TOO_LARGE, failure.getMessage());
            case UNREADABLE ->
                Problems.answer(HttpStatus.UNPROCESSABLE_CONTENT, ProblemRules.UNREADABLE_IMAGE, failure.getMessage());
        };
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> invalidParameter(InvalidParameterException failure) {
        return Problems.answer(HttpStatus.BAD_REQUEST, ProblemRules.INVALID_PARAMETER, failure.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> tooLarge(BodyTooLargeException failure) {
        return Problems.answer(
                HttpStatus.CONTENT_TOO_LARGE,
                ProblemRules.TOO_LARGE,
                failure.getMessage(),
                new HttpHeaders(),
                Map.of("limitBytes", failure.limitBytes()));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> brokenBody(BrokenBodyException failure) {
        HttpHeaders headers = new HttpHeaders();
        // The remaining bytes of the body may still arrive, and are not a request.
        headers.set(HttpHeaders.CONNECTION, "close");
        return Problems.answer(HttpStatus.BAD_REQUEST, ProblemRules.MALFORMED, failure.getMessage(), headers, Map.of());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> refused(RefusedException refusal) {
        HttpHeaders headers = new HttpHeaders();
        if (refusal.status() == HttpStatus.SERVICE_UNAVAILABLE) {
            headers.set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        return Problems.answer(refusal.status(), refusal.rule(), refusal.getMessage(), headers, Map.of());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> mediaType(HttpMediaTypeNotSupportedException failure) {
        return Problems.answer(
                HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                ProblemRules.UNSUPPORTED_MEDIA_TYPE,
                "the body has type %s; the types accepted are %s"
                        .formatted(failure.getContentType(), failure.getSupportedMediaTypes()));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> notAcceptable(HttpMediaTypeNotAcceptableException failure) {
        return Problems.answer(
                HttpStatus.NOT_ACCEPTABLE,
                ProblemRules.NOT_ACCEPTABLE,
                "the answer has one of the types %s".formatted(failure.getSupportedMediaTypes()));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> method(HttpRequestMethodNotSupportedException failure) {
        HttpHeaders headers = new HttpHeaders();
        Set<HttpMethod> supported = failure.getSupportedHttpMethods();
        headers.setAllow(supported == null ? Set.of() : supported);
        return Problems.answer(
                HttpStatus.METHOD_NOT_ALLOWED,
                ProblemRules.METHOD_NOT_ALLOWED,
                "the method is %s; the path allows %s".formatted(failure.getMethod(), supported),
                headers,
                Map.of());
    }

    @ExceptionHandler({NoResourceFoundException.class, NoHandlerFoundException.class})
    ResponseEntity<ProblemDetail> notFound() {
        return Problems.answer(HttpStatus.NOT_FOUND, ProblemRules.NOT_FOUND, "there is no such path");
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> bug(Exception failure) {
        LOG.error("a request failed", failure);
        return Problems.answer(HttpStatus.INTERNAL_SERVER_ERROR, ProblemRules.INTERNAL, "see the log of the service");
    }
}
