package org.fleetgrad.cli.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalDouble;
import org.fleetgrad.protocol.messages.StatusReply;
import org.jspecify.annotations.Nullable;

/** The curve of a run, and what follows from it. Belongs to the thread that watches the run. */
final class Progress {

    /** Seconds over which the shown throughput is taken. */
    private static final double WINDOW_SECONDS = 3;
    /** Hours of looks; a run that is kept for days forgets its beginning, which its report has. */
    private static final int MOST_POINTS = 100_000;

    /**
     * One look at the run.
     *
     * @param seconds  since the first activation
     * @param version  newest version
     * @param samples  trained so far
     * @param loss     smoothed training loss
     * @param accuracy newest held-out accuracy
     */
    record Point(
            double seconds,
            long version,
            long samples,
            @Nullable Double loss,
            @Nullable Double accuracy) {}

    private final double target;
    private final Deque<Point> points = new ArrayDeque<>();
    private OptionalDouble secondsToTarget = OptionalDouble.empty();

    Progress(double target) {
        this.target = target;
    }

    /** Takes a look; returns whether the newest held-out accuracy is at the target. */
    boolean add(double seconds, StatusReply status) {
        if (points.size() == MOST_POINTS) {
            points.removeFirst();
        }
        points.addLast(new Point(seconds, status.version(), status.samples(), status.loss(), status.accuracy()));
        Double accuracy = status.accuracy();
        boolean isReached = accuracy != null && accuracy >= target;
        if (isReached && secondsToTarget.isEmpty()) {
            secondsToTarget = OptionalDouble.of(seconds);
        }
        return isReached;
    }

    /** Returns the throughput over the last seconds. */
    double samplesPerSecond() {
        if (points.size() < 2) {
            return 0;
        }
        Point last = points.getLast();
        Point from = points.stream()
                .filter(point -> point.seconds() >= last.seconds() - WINDOW_SECONDS)
                .findFirst()
                .orElse(last);
        double seconds = last.seconds() - from.seconds();
        // A server that was started again may be back at an earlier count.
        long samples = Math.max(0, last.samples() - from.samples());
        return seconds <= 0 ? 0 : (double) samples / seconds;
    }

    OptionalDouble secondsToTarget() {
        return secondsToTarget;
    }

    List<Point> points() {
        return List.copyOf(points);
    }
}
