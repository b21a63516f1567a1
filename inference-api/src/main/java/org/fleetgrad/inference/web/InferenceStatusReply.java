package org.fleetgrad.inference.web;

import java.net.URI;
import java.util.List;
import org.fleetgrad.serving.evaluation.Evaluation;
import org.jspecify.annotations.Nullable;

/** The state of the service; {@code openapi.yaml} explains each member. */
record InferenceStatusReply(
        int code,
        String state,
        @Nullable String detail,
        URI server,
        @Nullable String network,
        @Nullable List<String> classes,
        @Nullable String generation,
        @Nullable Long version,
        @Nullable Long lag,
        long predictions,
        @Nullable EvaluationReply evaluation,
        @Nullable String evaluationDetail,
        long uptimeMs) {

    /** Maximum characters of all class names together: a client that polls for another version gets them each time. */
    static final int MAX_CLASS_CHARACTERS = 1 << 16;

    /** Returns the names of the classes, or null if they are too long for a status. */
    static @Nullable List<String> listed(List<String> classes) {
        long characters = 0;
        for (String name : classes) {
            // As JSON: two quotes and a comma.
            characters += name.length() + 3L;
            if (characters > MAX_CLASS_CHARACTERS) {
                return null;
            }
        }
        return classes;
    }

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
