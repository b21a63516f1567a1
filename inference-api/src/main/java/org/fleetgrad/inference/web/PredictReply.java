package org.fleetgrad.inference.web;

import java.util.List;
import org.fleetgrad.inference.prediction.Prediction;
import org.fleetgrad.serving.ImageReply;
import org.fleetgrad.serving.policy.HeldOutAccuracy;
import org.jspecify.annotations.Nullable;

/** The response to a prediction; {@code openapi.yaml} explains each member. */
record PredictReply(
        int code,
        List<ImageReply> predictions,
        long version,
        String generation,
        @Nullable Double accuracy,
        @Nullable Long accuracyVersion,
        @Nullable Double versionAccuracy) {

    static PredictReply of(Prediction prediction) {
        return new PredictReply(
                200,
                ImageReply.listOf(prediction.classification()),
                prediction.classification().version().version(),
                prediction.classification().version().generation(),
                prediction.accuracy().map(HeldOutAccuracy::accuracy).orElse(null),
                prediction.accuracy().map(known -> known.version().version()).orElse(null),
                prediction.versionAccuracy().isPresent()
                        ? prediction.versionAccuracy().getAsDouble()
                        : null);
    }
}
