package org.fleetgrad.ps.history;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The time series of a run: its figures a few times a second at first, and less often the longer it lasts. It takes at most
 * {@link #MAX_POINTS} points, so its memory does not grow with the run. Thread-safe.
 */
public final class RunHistory {

    /** Maximum number of points, and of held-out results. */
    public static final int MAX_POINTS = 2048;

    /** Maximum number of checkpoints: the newest ones. */
    public static final int MAX_CHECKPOINTS = 64;

    private final Series<HistoryPoint> points =
            new Series<>(MAX_POINTS, HistoryPoint::timeMs, HistoryPoint::mergedWith);
    private final Series<EvaluationPoint> evaluations =
            new Series<>(MAX_POINTS, EvaluationPoint::timeMs, (earlier, later) -> later);
    private final Deque<CheckpointPoint> checkpoints = new ArrayDeque<>();

    /** Adds the current figures. Removes points that a rollback has undone. */
    public synchronized void add(HistoryPoint given) {
        HistoryPoint point = given;
        List<HistoryPoint> known = points.points();
        if (!known.isEmpty()) {
            HistoryPoint last = known.get(known.size() - 1);
            // A clock that was set back must not make time run backwards.
            point = given.with(Math.max(given.timeMs(), last.timeMs()), given.isFirst());
            if (isBefore(given, last)) {
                points.cutWhile(later -> isBefore(given, later));
                evaluations.cutWhile(later -> later.version() > given.version());
            }
        }
        int size = known.size();
        boolean isUnchanged = size >= 2
                && !point.isFirst()
                && point.hasSameFigures(known.get(size - 1))
                && point.hasSameFigures(known.get(size - 2));
        if (isUnchanged) {
            // A quiet period takes two points, however long it is.
            points.replaceLast(
                    known.get(size - 1).with(point.timeMs(), known.get(size - 1).isFirst()));
        } else {
            points.add(point);
        }
    }

    private static boolean isBefore(HistoryPoint point, HistoryPoint other) {
        return point.version() < other.version() || point.samples() < other.samples();
    }

    /** Adds a held-out result. */
    public synchronized void add(EvaluationPoint given) {
        List<EvaluationPoint> known = evaluations.points();
        long last =
                known.isEmpty() ? given.timeMs() : known.get(known.size() - 1).timeMs();
        evaluations.add(given.at(Math.max(given.timeMs(), last)));
    }

    /** Adds a checkpoint; evicts the oldest if there are too many. */
    public synchronized void add(CheckpointPoint checkpoint) {
        checkpoints.addLast(checkpoint);
        if (checkpoints.size() > MAX_CHECKPOINTS) {
            checkpoints.removeFirst();
        }
    }

    /** Returns a copy of everything. */
    public synchronized HistoryState state() {
        return new HistoryState(points.points(), evaluations.points(), List.copyOf(checkpoints));
    }

    /** Continues the time series of an earlier process of the run. */
    public synchronized void restore(HistoryState state) {
        points.restore(state.points());
        evaluations.restore(state.evaluations());
        checkpoints.clear();
        state.checkpoints().forEach(this::add);
    }
}
