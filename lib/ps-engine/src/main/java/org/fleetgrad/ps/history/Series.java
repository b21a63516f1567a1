package org.fleetgrad.ps.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * A bounded series over time. When it is full, neighbours are merged, and from then on points must be twice as far apart: the
 * complete run stays visible, at an even resolution. Not thread-safe.
 *
 * @param <T> a point
 */
final class Series<T> {

    private final int most;
    private final ToLongFunction<T> time;
    private final BinaryOperator<T> merge;
    private final List<T> points = new ArrayList<>();
    private long spacingMs;

    /**
     * @param most  maximum number of points, 4 or more
     * @param time  time of a point, in milliseconds
     * @param merge merges an earlier and a later point into one
     */
    Series(int most, ToLongFunction<T> time, BinaryOperator<T> merge) {
        this.most = most;
        this.time = time;
        this.merge = merge;
    }

    /** Adds the newest point. If the last one is too close to the one before it, merges the newest into it. */
    void add(T point) {
        int size = points.size();
        if (size >= 2 && distance(size - 1) < spacingMs) {
            points.set(size - 1, merge.apply(points.get(size - 1), point));
            return;
        }
        points.add(point);
        if (points.size() > most) {
            thin();
        }
    }

    void replaceLast(T point) {
        points.set(points.size() - 1, point);
    }

    /** Removes points from the end while {@code isGone} holds. */
    void cutWhile(Predicate<T> isGone) {
        while (!points.isEmpty() && isGone.test(points.get(points.size() - 1))) {
            points.remove(points.size() - 1);
        }
    }

    /** Replaces all points, however many there are. */
    void restore(List<T> others) {
        points.clear();
        points.addAll(others);
        spacingMs = 0;
        while (points.size() > most) {
            thin();
        }
        if (points.size() > most / 2) {
            spacingMs = Math.max(spacingMs, medianDistance());
        }
    }

    List<T> points() {
        return points;
    }

    private void thin() {
        // The median, because a long gap between two server processes says nothing about the rate of the points.
        spacingMs = 2 * Math.max(spacingMs, medianDistance());
        List<T> kept = new ArrayList<>(most);
        kept.add(points.get(0));
        int next = 1;
        for (; next + 1 < points.size(); next += 2) {
            kept.add(merge.apply(points.get(next), points.get(next + 1)));
        }
        if (next < points.size()) {
            kept.add(points.get(next));
        }
        points.clear();
        points.addAll(kept);
    }

    private long medianDistance() {
        long[] distances = LongStream.range(1, points.size())
                .map(i -> distance((int) i))
                .sorted()
                .toArray();
        return distances[distances.length / 2];
    }

    private long distance(int index) {
        return time.applyAsLong(points.get(index)) - time.applyAsLong(points.get(index - 1));
    }
}
