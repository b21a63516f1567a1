package org.fleetgrad.ps.history;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The time series of a run: its figures a few times a second at first, and less often the longer it lasts. It takes at
 * most {@link #MAX_POINTS} points, so its memory does not grow with the run. Thread-safe.
 */
public final class RunHistory {

    /** Maximum number of points, and of held-out results. */
    public static final int MAX_POINTS = 2048;

    /** Maximum number of checkpoints: the newest ones. */
    public static final int MAX_CHECKPOINTS = 64;

    /** Maximum number of rollbacks: the newest ones. */
    public static final int MAX_ROLLBACKS = 64;

    private final Series<Point> points = new Series<>(MAX_POINTS, Point::timeMs, Point::mergedWith);
    private final Series<Evaluation> evaluations =
            new Series<>(MAX_POINTS, Evaluation::timeMs, (earlier, later) -> later);
    private final Deque<Checkpoint> checkpoints = new ArrayDeque<>();
    private final Deque<Rollback> rollbacks = new ArrayDeque<>();

    /** Adds the current figures. Removes points that a rollback has undone. */
    public synchronized void add(Point given) {
        Point point = given;
        List<Point> known = points.points();
        if (!known.isEmpty()) {
            Point last = known.get(known.size() - 1);
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

    private static boolean isBefore(Point point, Point other) {
        return point.version() < other.version() || point.samples() < other.samples();
    }

    public synchronized void add(Evaluation given) {
        List<Evaluation> known = evaluations.points();
        long last =
                known.isEmpty() ? given.timeMs() : known.get(known.size() - 1).timeMs();
        evaluations.add(given.at(Math.max(given.timeMs(), last)));
    }

    /** Adds a checkpoint; evicts the oldest if there are too many. */
    public synchronized void add(Checkpoint checkpoint) {
        checkpoints.addLast(checkpoint);
        if (checkpoints.size() > MAX_CHECKPOINTS) {
            checkpoints.removeFirst();
        }
    }

    /** Removes what a rollback has undone and marks the place; evicts the oldest mark if there are too many. */
    public synchronized void add(Rollback rollback) {
        points.cutWhile(later -> later.version() > rollback.version());
        evaluations.cutWhile(later -> later.version() > rollback.version());
        rollbacks.addLast(rollback);
        if (rollbacks.size() > MAX_ROLLBACKS) {
            rollbacks.removeFirst();
        }
    }

    /** Returns a copy of everything. */
    public synchronized State state() {
        return new State(points.points(), evaluations.points(), List.copyOf(checkpoints), List.copyOf(rollbacks));
    }

    /** Continues the time series of an earlier process of the run. */
    public synchronized void restore(State state) {
        points.restore(state.points());
        evaluations.restore(state.evaluations());
        checkpoints.clear();
        state.checkpoints().forEach(this::add);
        rollbacks.clear();
        rollbacks.addAll(state.rollbacks());
    }

    /**
     * The figures of a run at one moment. Counts are totals since the run began, so that what happened between two
     * points follows from their difference, however many points between them were merged.
     *
     * @param timeMs       milliseconds since 1970
     * @param isFirst      whether the server started or restarted before this point: nothing is known of the time since
     *     the previous point
     * @param version      steps applied
     * @param samples      training samples in applied gradients
     * @param loss         smoothed training loss; empty before the first step
     * @param gradients    gradients taken
     * @param stalenessSum sum of their staleness, in steps
     * @param workers      workers with a running lease
     * @param pushes       pushes by outcome
     */
    public record Point(
            long timeMs,
            boolean isFirst,
            long version,
            long samples,
            Optional<Double> loss,
            long gradients,
            long stalenessSum,
            int workers,
            Map<String, Long> pushes) {

        /** Checks that JSON can represent every number. */
        public Point {
            loss.filter(value -> !Double.isFinite(value)).ifPresent(value -> {
                throw new IllegalArgumentException("the loss of a point must be a finite number; it is " + value);
            });
            pushes = Collections.unmodifiableMap(new TreeMap<>(pushes));
        }

        /** Returns whether both have the same figures, regardless of time. */
        boolean hasSameFigures(Point other) {
            return version == other.version
                    && samples == other.samples
                    && workers == other.workers
                    && pushes.equals(other.pushes);
        }

        /** Returns the point that replaces this one and the later one. */
        Point mergedWith(Point later) {
            return isFirst && !later.isFirst ? later.with(later.timeMs, true) : later;
        }

        /** Returns the same figures at another time. */
        Point with(long otherTimeMs, boolean isOtherFirst) {
            return new Point(
                    otherTimeMs, isOtherFirst, version, samples, loss, gradients, stalenessSum, workers, pushes);
        }
    }

    /**
     * A held-out result in the time series of a run.
     *
     * @param timeMs       when it was reported, in milliseconds since 1970
     * @param version      the evaluated version
     * @param accuracy     share of samples classified correctly, 0 to 1; empty where numbers are predicted
     * @param accuracyTop5 share of samples whose label was among the five most probable classes, if it was reported
     * @param loss         mean loss, if it was reported
     */
    public record Evaluation(
            long timeMs,
            long version,
            Optional<Double> accuracy,
            Optional<Double> accuracyTop5,
            Optional<Double> loss) {

        /** Checks that JSON can represent every number. */
        public Evaluation {
            accuracy.ifPresent(value -> requireFinite("accuracy", value));
            accuracyTop5.ifPresent(value -> requireFinite("accuracyTop5", value));
            loss.ifPresent(value -> requireFinite("loss", value));
        }

        private static void requireFinite(String name, double value) {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("%s must be a finite number; it is %s".formatted(name, value));
            }
        }

        Evaluation at(long otherTimeMs) {
            return new Evaluation(otherTimeMs, version, accuracy, accuracyTop5, loss);
        }
    }

    /**
     * A checkpoint in the time series of a run.
     *
     * @param timeMs  when it was taken, in milliseconds since 1970
     * @param number  its number
     * @param version the version in it
     */
    public record Checkpoint(long timeMs, long number, long version) {}

    /**
     * A rollback in the time series of a run.
     *
     * @param timeMs  when the run went back, in milliseconds since 1970
     * @param from    the version that it had reached
     * @param version the version from which it continued
     */
    public record Rollback(long timeMs, long from, long version) {}

    /**
     * The time series of a run, as it is read and persisted. Immutable; each list is in the order of time.
     *
     * @param points      the figures
     * @param evaluations the held-out results
     * @param checkpoints the newest checkpoints
     * @param rollbacks   the newest rollbacks
     */
    public record State(
            List<RunHistory.Point> points,
            List<RunHistory.Evaluation> evaluations,
            List<RunHistory.Checkpoint> checkpoints,
            List<RunHistory.Rollback> rollbacks) {

        /** Nothing yet. */
        public static final State EMPTY = new State(List.of(), List.of(), List.of(), List.of());

        public State {
            points = List.copyOf(points);
            evaluations = List.copyOf(evaluations);
            checkpoints = List.copyOf(checkpoints);
            rollbacks = List.copyOf(rollbacks);
        }
    }
}
