package org.fleetgrad.runs.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.runs.output.HeldOutFigures;
import org.fleetgrad.runs.output.TimeLeft;

/**
 * Says how much of a run is done, and when it ends: at its last sample or step, or at its target if the held-out results lead there earlier.
 * The rate is that of the newer half of the run, since a young run is slow. Confined to one thread.
 */
final class RunForecast {

    /** In seconds: before, nothing is said. */
    private static final double YOUNGEST = 3;

    private static final int MOST_MARKS = 10_000;

    private final boolean hasTarget;
    private final TargetTrend trend;
    private final Deque<Mark> marks = new ArrayDeque<>();
    private long evaluated = -1;

    /** How far the run was at a time. */
    private record Mark(double seconds, double done) {}

    /**
     * How far a run is.
     *
     * @param samples that it has trained on
     * @param done    of its work, in samples or in steps
     * @param all     of its work, in the same unit; empty if it has no end
     */
    record Position(long samples, long done, OptionalDouble all) {}

    RunForecast(RunTarget target) {
        this.hasTarget = !(target instanceof RunTarget.None);
        this.trend = new TargetTrend(target);
    }

    /** Takes the newest state, and returns the forecast; empty while it is too early. */
    Optional<TimeLeft> look(double seconds, Position position, StatusReply status) {
        if (marks.isEmpty() || seconds > marks.getLast().seconds()) {
            if (!marks.isEmpty() && position.done() < marks.getLast().done()) {
                // A server was restored at an earlier version.
                marks.clear();
            }
            marks.addLast(new Mark(seconds, position.done()));
        }
        while (marks.size() > MOST_MARKS
                || (marks.size() > 2 && marks.getFirst().seconds() < seconds / 2)) {
            marks.removeFirst();
        }
        Long version = status.accuracyVersion();
        if (version != null && version != evaluated) {
            evaluated = version;
            trend.add(position.samples(), HeldOutFigures.of(status).heldOut());
        }
        double elapsed = seconds - marks.getFirst().seconds();
        double made = position.done() - marks.getFirst().done();
        if (seconds < YOUNGEST || elapsed <= 0 || made <= 0) {
            return Optional.empty();
        }
        return left(seconds, position, made / elapsed);
    }

    private Optional<TimeLeft> left(double seconds, Position position, double rate) {
        OptionalDouble byWork = position.all().isPresent()
                ? OptionalDouble.of(Math.max(0, position.all().getAsDouble() - position.done()) / rate)
                : OptionalDouble.empty();
        double samplesPerSecond = position.done() == 0 ? rate : rate * position.samples() / position.done();
        Optional<TargetTrend.Reached> reached = trend.reached();
        if (reached.isPresent()) {
            double likely = after(reached.get().likely(), position, samplesPerSecond);
            if (byWork.isEmpty() || likely < byWork.getAsDouble()) {
                double most = after(reached.get().most(), position, samplesPerSecond);
                return Optional.of(new TimeLeft(
                        share(seconds, likely),
                        likely,
                        after(reached.get().least(), position, samplesPerSecond),
                        byWork.isPresent() ? Math.min(most, byWork.getAsDouble()) : most));
            }
        }
        return byWork.isEmpty()
                ? Optional.empty()
                : Optional.of(new TimeLeft(
                        position.done() / position.all().getAsDouble(),
                        byWork.getAsDouble(),
                        byWork.getAsDouble(),
                        byWork.getAsDouble(),
                        hasTarget && reached.isEmpty()));
    }

    private static double after(double samples, Position position, double samplesPerSecond) {
        return Math.max(0, samples - position.samples()) / samplesPerSecond;
    }

    private static double share(double seconds, double left) {
        return seconds / (seconds + left);
    }
}
