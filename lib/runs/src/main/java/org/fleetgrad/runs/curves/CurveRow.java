package org.fleetgrad.runs.curves;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run at one time.
 *
 * @param time             of the poll
 * @param seconds          of training since this run's first activation
 * @param version          newest version
 * @param samples          training samples in applied gradients
 * @param loss             smoothed training loss; empty before the first gradient
 * @param samplesPerSecond over the last seconds
 * @param meanStaleness    of the applied gradients, in steps
 * @param workers          registered workers
 * @param heldOut          the newest evaluation; empty before the first, or if an earlier row has it
 */
record CurveRow(
        Instant time,
        double seconds,
        long version,
        long samples,
        OptionalDouble loss,
        double samplesPerSecond,
        double meanStaleness,
        int workers,
        Optional<HeldOut> heldOut) {

    /**
     * An evaluation on held-out samples.
     *
     * @param version      the evaluated version, which is the newest one or an earlier one
     * @param accuracy     share of the samples whose label is the most probable class
     * @param accuracyTop5 share of the samples whose label is among the five most probable classes, if it was reported
     * @param loss         mean cross-entropy, if it was reported
     */
    record HeldOut(long version, double accuracy, OptionalDouble accuracyTop5, OptionalDouble loss) {}

    static CurveRow of(StatusReply status, Instant time, double seconds, double samplesPerSecond) {
        return new CurveRow(
                time,
                seconds,
                status.version(),
                status.samples(),
                optional(status.loss()),
                samplesPerSecond,
                status.meanStaleness(),
                status.workers().size(),
                heldOut(status));
    }

    private static Optional<HeldOut> heldOut(StatusReply status) {
        Double accuracy = status.accuracy();
        Long version = status.accuracyVersion();
        return accuracy == null || version == null
                ? Optional.empty()
                : Optional.of(new HeldOut(
                        version, accuracy, optional(status.accuracyTop5()), optional(status.heldOutLoss())));
    }

    private static OptionalDouble optional(@Nullable Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** Returns the row without the evaluation, which an earlier row has. */
    CurveRow withoutHeldOut() {
        return new CurveRow(
                time, seconds, version, samples, loss, samplesPerSecond, meanStaleness, workers, Optional.empty());
    }
}
