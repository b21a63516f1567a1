package org.fleetgrad.inference.web;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.PredictionResult.Prediction;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.fleetgrad.serving.tables.UnknownCategory;
import org.jspecify.annotations.Nullable;

/** The response to a prediction; {@code openapi.yaml} explains each member. */
record PredictReply(
        int code,
        List<? extends Prediction> predictions,
        @Nullable List<UnknownCategory> unknown,
        long version,
        String generation,
        @Nullable Double accuracy,
        @Nullable Long accuracyVersion,
        @Nullable Double versionAccuracy,
        @Nullable String answer) {

    /** Describes a result with an id, and with the accuracies of its version and of its generation's newest one, if known. */
    static PredictReply of(PredictionResult result, Optional<Images> request, Predictor predictor) {
        HeldOutScores scores = predictor.scores();
        List<? extends Prediction> predictions = result.predictions();
        ParameterVersion version = result.version();
        Optional<ScoredVersion> newest = scores.newest(version.generation());
        return new PredictReply(
                200,
                predictions,
                result.unknown().isEmpty() ? null : result.unknown(),
                version.version(),
                version.generation(),
                newest.flatMap(known -> known.score().accuracy()).orElse(null),
                newest.map(known -> known.version().version()).orElse(null),
                scores.of(version).flatMap(HeldOutScore::accuracy).orElse(null),
                predictor.idOf(result, predictions, request).orElse(null));
    }
}
