package org.fleetgrad.ps.web.problem;

import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.web.ProblemResponse;
import org.fleetgrad.web.UnfitJson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import tools.jackson.core.JacksonException;

/** Answers every failure of a Spring MVC route as a problem. */
@RestControllerAdvice
class ServerProblemAdvice extends ResponseEntityExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ServerProblemAdvice.class);

    @ExceptionHandler
    ResponseEntity<Object> refused(RequestRefused refused) {
        return ProblemResponse.entity(refused);
    }

    @ExceptionHandler
    ResponseEntity<Object> bug(RuntimeException bug) {
        LOG.error("a request failed", bug);
        return ProblemResponse.entity(new RequestRefused(ProblemKind.INTERNAL, "the server's log says why"));
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleNoResourceFoundException(
            NoResourceFoundException unknown, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return notFound(headers, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleNoHandlerFoundException(
            NoHandlerFoundException unknown, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return notFound(headers, request);
    }

    private static ResponseEntity<Object> notFound(HttpHeaders headers, WebRequest request) {
        String path = ((ServletWebRequest) request).getRequest().getRequestURI();
        return ProblemResponse.entity(
                new RequestRefused(ProblemKind.NOT_FOUND, "there is no path '%s'".formatted(path)), headers);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(
            Exception failure, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return ProblemResponse.entity(new RequestRefused(kind(status), detail(failure)), headers);
    }

    private static ProblemKind kind(HttpStatusCode status) {
        return switch (status.value()) {
            case 400, 422 -> ProblemKind.MALFORMED;
            case 404 -> ProblemKind.NOT_FOUND;
            case 405 -> ProblemKind.METHOD_NOT_ALLOWED;
            case 406 -> ProblemKind.NOT_ACCEPTABLE;
            case 413 -> ProblemKind.TOO_LARGE;
            case 415 -> ProblemKind.UNSUPPORTED_MEDIA_TYPE;
            default -> ProblemKind.INTERNAL;
        };
    }

    private static String detail(Exception failure) {
        if (failure.getCause() instanceof JacksonException wrong) {
            return UnfitJson.text(wrong);
        }
        if (failure instanceof HttpMessageNotReadableException) {
            // Spring names the method of this program that wants a body.
            return "the request has no body; it must be a JSON object";
        }
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }
}
