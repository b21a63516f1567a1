package org.fleetgrad.inference.web;

import java.util.Optional;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.evaluation.BackgroundEvaluation;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.messages.HeldOutEvaluation;
import org.fleetgrad.serving.evaluation.Evaluation;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The newest evaluation over HTTP, with what is right and what is wrong. */
@RestController
class EvaluationController {

    private final Optional<BackgroundEvaluation> evaluation;

    EvaluationController(ObjectProvider<BackgroundEvaluation> evaluations) {
        this.evaluation = Optional.ofNullable(evaluations.getIfAvailable());
    }

    /** The newest evaluation; {@code openapi.yaml} explains each member. */
    record EvaluationReply(int code, HeldOutEvaluation evaluation) {}

    @GetMapping("/evaluation")
    EvaluationReply evaluation() {
        return evaluation
                .flatMap(BackgroundEvaluation::last)
                .map(Evaluation::inFull)
                .map(full -> new EvaluationReply(200, full))
                .orElseThrow(() -> new RequestRefused(ProblemKind.NO_EVALUATION, reason()));
    }

    private String reason() {
        return evaluation
                .map(evaluating -> evaluating.detail().orElse("this service has evaluated no version yet: retry"))
                .orElse("this service evaluates nothing: it has no held-out samples (inference.test-shard)");
    }
}
