package org.fleetgrad.runs.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.reports.Report.CurvePoint;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.runs.output.HeldOutFigures;

/** The curve of a run, with the throughput and the time to the target. Confined to the thread that watches the run. */
public final class RunProgress {

    /** The throughput is measured over this many seconds. */
    private static final double WINDOW_SECONDS = 3;
    /** Enough for hours. A run of days forgets the start of its curve, which is in its report. */
    private static final int MOST_POINTS = 100_000;

    private final RunTarget target;
    private final SeenBest best = new SeenBest();
    private final Deque<CurvePoint> points = new ArrayDeque<>();
    private OptionalDouble secondsToTarget = OptionalDouble.empty();

    RunProgress(RunTarget target) {
        this.target = target;
    }

    /** Adds a point; returns whether the newest held-out result has reached the target. */
    boolean add(double seconds, StatusReply status) {
        if (points.size() == MOST_POINTS) {
            points.removeFirst();
        }
        points.addLast(new CurvePoint(
                seconds, status.version(), status.samples(), status.loss(), status.accuracy(), status.heldOutLoss()));
        best.look(status);
        boolean isReached = isAtTarget(status);
        if (isReached && secondsToTarget.isEmpty()) {
            secondsToTarget = OptionalDouble.of(seconds);
        }
        return isReached;
    }

    /** Tells whether a held-out result has reached the target. */
    boolean isAtTarget(StatusReply status) {
        return target.isReached(HeldOutFigures.of(status).heldOut());
    }

    /** Returns the server's figures when it reported the best evaluation that was seen; empty before the first one. */
    public Optional<StatusReply> best() {
        return best.figures();
    }

    /** Returns the throughput over the last seconds. */
    double samplesPerSecond() {
        if (points.size() < 2) {
            return 0;
        }
        CurvePoint last = points.getLast();
        CurvePoint from = points.stream()
                .filter(point -> point.seconds() >= last.seconds() - WINDOW_SECONDS)
                .findFirst()
                .orElse(last);
        double seconds = last.seconds() - from.seconds();
        // A restarted server may be at an earlier count.
        long samples = Math.max(0, last.samples() - from.samples());
        return seconds <= 0 ? 0 : (double) samples / seconds;
    }

    public OptionalDouble secondsToTarget() {
        return secondsToTarget;
    }

    public List<CurvePoint> points() {
        return List.copyOf(points);
    }
}
