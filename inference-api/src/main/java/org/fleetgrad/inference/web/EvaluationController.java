package org.fleetgrad.inference.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Optional;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.evaluation.BackgroundEvaluation;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.messages.HeldOutEvaluation;
import org.fleetgrad.serving.evaluation.Evaluation;
import org.jspecify.annotations.Nullable;
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

    /** The newest evaluation, and the best if that is another one; {@code openapi.yaml} explains each member. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record EvaluationReply(
            int code,
            HeldOutEvaluation evaluation,
            @Nullable HeldOutEvaluation best) {}

    @GetMapping("/evaluation")
    EvaluationReply evaluation() {
        return evaluation
                .flatMap(BackgroundEvaluation::last)
                .map(newest -> new EvaluationReply(200, newest.inFull(), best(newest)))
                .orElseThrow(() -> new RequestRefused(ProblemKind.NO_EVALUATION, reason()));
    }

    private @Nullable HeldOutEvaluation best(Evaluation newest) {
        return evaluation
                .flatMap(BackgroundEvaluation::best)
                .filter(best -> !best.version().equals(newest.version()))
                .map(Evaluation::inFull)
                .orElse(null);
    }

    private String reason() {
        return evaluation
                .map(evaluating -> evaluating.detail().orElse("this service has evaluated no version yet: retry"))
                .orElse("this service evaluates nothing: it has no held-out samples (inference.test-shard)");
    }
}
