package org.fleetgrad.ps.history;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The course of a run: its figures a few times a second at first, and less often the longer it lasts. It takes at most
 * {@link #MOST_POINTS} points, so its memory does not grow with the run. Thread-safe.
 */
public final class RunHistory {

    /** Most points, and most held-out results. */
    public static final int MOST_POINTS = 2048;

    /** Most checkpoints: the newest. */
    public static final int MOST_CHECKPOINTS = 64;

    private final Series<HistoryPoint> points =
            new Series<>(MOST_POINTS, HistoryPoint::timeMs, HistoryPoint::mergedWith);
    private final Series<EvaluationPoint> evaluations =
            new Series<>(MOST_POINTS, EvaluationPoint::timeMs, (earlier, later) -> later);
    private final Deque<CheckpointPoint> checkpoints = new ArrayDeque<>();

    /** Adds the figures of now. What a rollback took back is no part of the run any more. */
    public synchronized void add(HistoryPoint given) {
        HistoryPoint point = given;
        List<HistoryPoint> known = points.points();
        if (!known.isEmpty()) {
            HistoryPoint last = known.get(known.size() - 1);
            // A clock that was set back must not turn the curves around.
            point = given.with(Math.max(given.timeMs(), last.timeMs()), given.isFirst());
            if (isBefore(given, last)) {
                points.cutWhile(later -> isBefore(given, later));
                evaluations.cutWhile(later -> later.version() > given.version());
            }
        }
        int size = known.size();
        boolean isQuiet = size >= 2
                && !point.isFirst()
                && point.isAsQuietAs(known.get(size - 1))
                && point.isAsQuietAs(known.get(size - 2));
        if (isQuiet) {
            // However long nothing happens, it takes two points.
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

    /** Adds a checkpoint; the oldest makes place for it. */
    public synchronized void add(CheckpointPoint checkpoint) {
        checkpoints.addLast(checkpoint);
        if (checkpoints.size() > MOST_CHECKPOINTS) {
            checkpoints.removeFirst();
        }
    }

    /** Returns a copy of everything. */
    public synchronized HistoryState state() {
        return new HistoryState(points.points(), evaluations.points(), List.copyOf(checkpoints));
    }

    /** Goes on from what another life of the run left. */
    public synchronized void restore(HistoryState state) {
        points.restore(state.points());
        evaluations.restore(state.evaluations());
        checkpoints.clear();
        state.checkpoints().forEach(this::add);
    }
}
