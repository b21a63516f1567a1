package org.fleetgrad.worker.colocated;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.serving.ImageReply;
import org.fleetgrad.serving.policy.HeldOutAccuracy;
import org.jspecify.annotations.Nullable;

/**
 * The response to a prediction: the inference API's members, and those of a worker. {@code docs/colocated-serving.md} explains
 * each.
 */
record ColocatedPredictReply(
        int code,
        List<ImageReply> predictions,
        long version,
        String generation,
        @Nullable Double accuracy,
        @Nullable Long accuracyVersion,
        String network,
        String mode,
        @Nullable Long untilVersion) {

    static ColocatedPredictReply of(PredictResponse answer, ServeMode mode, Optional<HeldOutAccuracy> accuracy) {
        return new ColocatedPredictReply(
                200,
                ImageReply.listOf(answer.classification()),
                answer.classification().version().version(),
                answer.classification().version().generation(),
                accuracy.map(HeldOutAccuracy::accuracy).orElse(null),
                accuracy.map(known -> known.version().version()).orElse(null),
                answer.network(),
                mode.label(),
                answer.until().isPresent() ? (Long) answer.until().getAsLong() : null);
    }
}
