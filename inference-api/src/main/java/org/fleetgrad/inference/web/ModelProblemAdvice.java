package org.fleetgrad.inference.web;

import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.prediction.Refusals;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
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
class ModelProblemAdvice {

    private static final Logger LOG = LoggerFactory.getLogger(ModelProblemAdvice.class);

    @ExceptionHandler
    ResponseEntity<ProblemDetail> refused(RequestRefused refused) {
        ProblemKind kind = refused.kind();
        ProblemDetail problem =
                ProblemDetail.forStatusAndDetail(HttpStatusCode.valueOf(kind.status()), refused.detail());
        problem.setType(URI.create(kind.type()));
        problem.setTitle(kind.title());
        problem.setProperty("code", kind.status());
        refused.members().forEach(problem::setProperty);
        return ResponseEntity.status(kind.status())
                .headers(headers -> refused.headers().forEach(headers::set))
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem);
    }

    private ResponseEntity<ProblemDetail> refused(ProblemKind kind, String detail) {
        return refused(new RequestRefused(kind, detail));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> invalidImages(InvalidImagesException failure) {
        return refused(Refusals.of(failure));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> mediaType(HttpMediaTypeNotSupportedException failure) {
        return refused(
                ProblemKind.UNSUPPORTED_MEDIA_TYPE,
                "the body has type %s; the types accepted are %s"
                        .formatted(failure.getContentType(), failure.getSupportedMediaTypes()));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> notAcceptable(HttpMediaTypeNotAcceptableException failure) {
        return refused(
                ProblemKind.NOT_ACCEPTABLE,
                "the answer has one of the types %s".formatted(failure.getSupportedMediaTypes()));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> method(HttpRequestMethodNotSupportedException failure) {
        Set<HttpMethod> supported = failure.getSupportedHttpMethods();
        String allowed = supported == null
                ? ""
                : supported.stream().map(HttpMethod::name).collect(Collectors.joining(","));
        return refused(new RequestRefused(
                ProblemKind.METHOD_NOT_ALLOWED,
                "the method is %s; the path allows %s".formatted(failure.getMethod(), supported),
                Map.of(),
                Map.of("Allow", allowed)));
    }

    @ExceptionHandler({NoResourceFoundException.class, NoHandlerFoundException.class})
    ResponseEntity<ProblemDetail> notFound() {
        return refused(ProblemKind.NOT_FOUND, "there is no such path");
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> bug(Exception failure) {
        LOG.error("a request failed", failure);
        return refused(ProblemKind.INTERNAL, "see the log of the service");
    }
}
