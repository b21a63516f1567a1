package org.fleetgrad.runs.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.reports.RunTarget.HeldOut;

/**
 * Extrapolates held-out results to the target. The distance d from a perfect result, such as the share of wrong answers, falls roughly as a
 * power of the samples, ln d = a + b ln n (J. Hestness et al., "Deep Learning Scaling is Predictable, Empirically", 2017); a and b are
 * fitted by least squares over the newer half of the run. Confined to one thread.
 */
final class TargetTrend {

    private static final int FEWEST = 4;
    private static final int MOST = 200;

    private final RunTarget target;
    private final Deque<Point> points = new ArrayDeque<>();

    /** A distance after a number of samples, as logarithms. */
    private record Point(double samples, double distance) {}

    /**
     * When the target is reached, in samples of the run.
     *
     * @param likely by the fitted line
     * @param least  if the results are as far below the line as its points are from it on average
     * @param most   if they are as far above it
     */
    record Reached(double likely, double least, double most) {}

    TargetTrend(RunTarget target) {
        this.target = target;
    }

    /** Adds a result that is new. */
    void add(long samples, HeldOut result) {
        OptionalDouble distance = distance(result);
        if (samples <= 0 || distance.isEmpty() || !(distance.getAsDouble() > 0)) {
            return;
        }
        if (points.size() == MOST) {
            points.removeFirst();
        }
        points.addLast(new Point(Math.log((double) samples), Math.log(distance.getAsDouble())));
    }

    private OptionalDouble distance(HeldOut result) {
        if (target.accuracy().isPresent() && result.accuracy() != null) {
            return OptionalDouble.of(1 - result.accuracy());
        }
        if (target.loss().isPresent() && result.loss() != null) {
            return OptionalDouble.of(result.loss());
        }
        if (target.r2().isPresent() && result.r2() != null) {
            return OptionalDouble.of(1 - result.r2());
        }
        return target.microF1().isPresent() && result.microF1() != null
                ? OptionalDouble.of(1 - result.microF1())
                : OptionalDouble.empty();
    }

    private OptionalDouble goal() {
        OptionalDouble loss = target.loss();
        if (loss.isPresent()) {
            return loss;
        }
        OptionalDouble share = target.accuracy().isPresent()
                ? target.accuracy()
                : target.r2().isPresent() ? target.r2() : target.microF1();
        return share.isPresent() && share.getAsDouble() < 1
                ? OptionalDouble.of(1 - share.getAsDouble())
                : OptionalDouble.empty();
    }

    /** Returns when the target is reached; empty without one, with too few results, and if they do not improve. */
    Optional<Reached> reached() {
        OptionalDouble goal = goal();
        if (goal.isEmpty() || points.size() < FEWEST) {
            return Optional.empty();
        }
        double half = points.getLast().samples() - Math.log(2);
        List<Point> newer =
                points.stream().filter(point -> point.samples() >= half).toList();
        List<Point> used =
                newer.size() >= FEWEST ? newer : List.copyOf(points).subList(points.size() - FEWEST, points.size());
        return fitted(used, Math.log(goal.getAsDouble()));
    }

    private static Optional<Reached> fitted(List<Point> used, double goal) {
        double x = used.stream().mapToDouble(Point::samples).average().orElseThrow();
        double y = used.stream().mapToDouble(Point::distance).average().orElseThrow();
        double xx = used.stream()
                .mapToDouble(p -> (p.samples() - x) * (p.samples() - x))
                .sum();
        double xy = used.stream()
                .mapToDouble(p -> (p.samples() - x) * (p.distance() - y))
                .sum();
        double slope = xy / xx;
        if (!(slope < 0)) {
            return Optional.empty();
        }
        double scatter = Math.sqrt(used.stream()
                .mapToDouble(p -> Math.pow(p.distance() - y - slope * (p.samples() - x), 2))
                .average()
                .orElseThrow());
        return Optional.of(new Reached(
                Math.exp(x + (goal - y) / slope),
                Math.exp(x + (goal + scatter - y) / slope),
                Math.exp(x + (goal - scatter - y) / slope)));
    }
}
