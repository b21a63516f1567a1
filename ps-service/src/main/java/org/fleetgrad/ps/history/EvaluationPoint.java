package org.fleetgrad.ps.history;

import java.util.Optional;

/**
 * A held-out result in the time series of a run.
 *
 * @param timeMs       when it was reported, in milliseconds since 1970
 * @param version      the evaluated version
 * @param accuracy     share of samples classified correctly, 0 to 1
 * @param accuracyTop5 share of samples whose label was among the five most probable classes, if it was reported
 * @param loss         mean loss, if it was reported
 */
public record EvaluationPoint(
        long timeMs, long version, double accuracy, Optional<Double> accuracyTop5, Optional<Double> loss) {

    /** Checks that JSON can represent every number. */
    public EvaluationPoint {
        requireFinite("accuracy", accuracy);
        accuracyTop5.ifPresent(value -> requireFinite("accuracyTop5", value));
        loss.ifPresent(value -> requireFinite("loss", value));
    }

    private static void requireFinite(String name, double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("%s must be a finite number; it is %s".formatted(name, value));
        }
    }

    EvaluationPoint at(long otherTimeMs) {
        return new EvaluationPoint(otherTimeMs, version, accuracy, accuracyTop5, loss);
    }
}
