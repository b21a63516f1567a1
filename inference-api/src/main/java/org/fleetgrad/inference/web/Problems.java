package org.fleetgrad.inference.web;

import java.net.URI;
import java.util.Map;
import java.util.Objects;
import org.fleetgrad.protocol.ProblemTitles;
import org.fleetgrad.protocol.messages.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

/** Writes problems in the form of the contract. */
final class Problems {

    private Problems() {}

    static ResponseEntity<ProblemDetail> answer(HttpStatus status, String rule, @Nullable String detail) {
        return answer(status, rule, detail, new HttpHeaders(), Map.of());
    }

    /** Answers with a problem that has additional headers and members; the members repeat the numbers of {@code detail}. */
    static ResponseEntity<ProblemDetail> answer(
            HttpStatus status, String rule, @Nullable String detail, HttpHeaders headers, Map<String, Object> members) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, Objects.requireNonNullElse(detail, rule));
        problem.setType(URI.create(Problem.TYPE_PREFIX + rule));
        problem.setTitle(ProblemTitles.of(rule));
        problem.setProperty("code", status.value());
        members.forEach(problem::setProperty);
        return ResponseEntity.status(status)
                .headers(headers)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem);
    }
}
