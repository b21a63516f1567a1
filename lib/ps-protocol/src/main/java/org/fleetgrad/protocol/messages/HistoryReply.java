package org.fleetgrad.protocol.messages;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The course of a run: at most 2,048 points and as many evaluations, in chronological order. In a longer run they are
 * farther apart.
 *
 * @param code        200
 * @param generation  history of the newest point
 * @param nowMs       the server's time, in milliseconds since 1970, for a reader whose clock differs
 * @param points      the figures
 * @param evaluations the held-out results
 * @param checkpoints the newest checkpoints, at most 64
 */
public record HistoryReply(
        int code,
        String generation,
        long nowMs,
        List<Point> points,
        List<Evaluation> evaluations,
        List<Checkpoint> checkpoints) {

    /**
     * The figures at one moment, and since the point before it.
     *
     * @param timeMs           milliseconds since 1970
     * @param version          steps applied
     * @param samples          training samples in applied gradients
     * @param loss             exponentially smoothed training loss; absent before the first step
     * @param samplesPerSecond training samples a second since the point before; absent for the first point after a start
     * @param staleness        mean staleness of the gradients since the point before, in steps; absent if there were none
     * @param workers          registered workers
     * @param pushes           pushes by outcome, since the run began
     */
    public record Point(
            long timeMs,
            long version,
            long samples,
            @Nullable Double loss,
            @Nullable Double samplesPerSecond,
            @Nullable Double staleness,
            int workers,
            Map<String, Long> pushes) {}

    /**
     * A held-out result.
     *
     * @param timeMs       when it was reported, in milliseconds since 1970
     * @param version      the evaluated version
     * @param accuracy     share of held-out samples classified correctly
     * @param accuracyTop5 share of labels among the five most probable classes, if it was reported
     * @param loss         mean loss, if it was reported
     */
    public record Evaluation(
            long timeMs,
            long version,
            double accuracy,
            @Nullable Double accuracyTop5,
            @Nullable Double loss) {}

    /**
     * A checkpoint.
     *
     * @param timeMs  when it was taken, in milliseconds since 1970
     * @param number  its number
     * @param version the version in it
     */
    public record Checkpoint(long timeMs, long number, long version) {}
}
