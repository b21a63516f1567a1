package org.fleetgrad.inference.web;

import java.net.URI;
import org.fleetgrad.serving.evaluation.Evaluation;
import org.jspecify.annotations.Nullable;

/** The state of the service; {@code openapi.yaml} explains each member. */
record InferenceStatusReply(
        int code,
        String state,
        @Nullable String detail,
        URI server,
        @Nullable String network,
        @Nullable String generation,
        @Nullable Long version,
        @Nullable Long lag,
        long predictions,
        @Nullable EvaluationReply evaluation,
        @Nullable String evaluationDetail,
        long uptimeMs) {

    /** The newest evaluation by this service. */
    record EvaluationReply(
            String generation,
            long version,
            double accuracy,
            @Nullable Double accuracyTop5,
            double loss,
            long samples,
            long durationMs) {

        static EvaluationReply of(Evaluation evaluation) {
            return new EvaluationReply(
                    evaluation.version().generation(),
                    evaluation.version().version(),
                    evaluation.accuracy(),
                    evaluation.accuracyTop5().orElse(null),
                    evaluation.loss(),
                    evaluation.samples(),
                    evaluation.duration().toMillis());
        }
    }
}
