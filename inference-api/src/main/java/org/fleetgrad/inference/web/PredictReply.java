package org.fleetgrad.inference.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.fleetgrad.inference.prediction.Prediction;
import org.fleetgrad.serving.policy.HeldOutAccuracy;
import org.jspecify.annotations.Nullable;

/** The answer to a prediction; {@code openapi.yaml} explains each member. */
record PredictReply(
        int code,
        List<ImageReply> predictions,
        long version,
        String generation,
        @Nullable Double accuracy,
        @Nullable Long accuracyVersion,
        @Nullable Double versionAccuracy) {

    /** The result for one image. */
    record ImageReply(String label, @JsonProperty("class") int index, List<Float> probabilities) {}

    static PredictReply of(Prediction prediction) {
        return new PredictReply(
                200,
                prediction.classification().images().stream()
                        .map(image -> new ImageReply(image.label(), image.index(), image.probabilities()))
                        .toList(),
                prediction.classification().version().version(),
                prediction.classification().version().generation(),
                prediction.accuracy().map(HeldOutAccuracy::accuracy).orElse(null),
                prediction.accuracy().map(known -> known.version().version()).orElse(null),
                prediction.versionAccuracy().isPresent()
                        ? prediction.versionAccuracy().getAsDouble()
                        : null);
    }
}
