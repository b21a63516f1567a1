package org.fleetgrad.inference.web;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.PredictionResult.Scores;
import org.fleetgrad.serving.policy.HeldOutAccuracies;
import org.fleetgrad.serving.policy.HeldOutAccuracies.HeldOutAccuracy;
import org.jspecify.annotations.Nullable;

/** The response to a prediction; {@code openapi.yaml} explains each member. */
record PredictReply(
        int code,
        List<Scores> predictions,
        long version,
        String generation,
        @Nullable Double accuracy,
        @Nullable Long accuracyVersion,
        @Nullable Double versionAccuracy) {

    /** Describes a result with the accuracies of its version and of its generation's newest one, if known. */
    static PredictReply of(PredictionResult result, HeldOutAccuracies accuracies) {
        ParameterVersion version = result.version();
        Optional<HeldOutAccuracy> newest = accuracies.newest(version.generation());
        OptionalDouble own = accuracies.of(version);
        return new PredictReply(
                200,
                result.scores(),
                version.version(),
                version.generation(),
                newest.map(HeldOutAccuracy::accuracy).orElse(null),
                newest.map(known -> known.version().version()).orElse(null),
                own.isPresent() ? own.getAsDouble() : null);
    }
}
