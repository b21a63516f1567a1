package org.fleetgrad.load.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.files.statistics.WilsonInterval;
import org.fleetgrad.load.result.LoadResult.CoursePoint;

/**
 * Accuracy and latency over time, in at most {@value #MOST} slots. When a run outlasts them, each slot becomes twice as
 * long, so a run of days needs as little memory as one of seconds. Not thread-safe.
 */
final class TimeCourse {

    /** An even number of slots, because two become one. */
    static final int MOST = 240;

    /** The accuracy of 200 images is uncertain by 7 percentage points at most. */
    static final int LEAST_IMAGES = 200;

    private static final double FIRST_WIDTH_MS = 100;
    /** Percentiles of a slot are less than 1% too large: that is not visible in a picture. */
    private static final int DIGITS = 2;

    private final double beginMs;
    private final List<Slot> slots = new ArrayList<>();
    private double widthMs = FIRST_WIDTH_MS;

    /** @param beginMs the time 0 of the picture, in ms since 1970 */
    TimeCourse(double beginMs) {
        this.beginMs = beginMs;
    }

    private static final class Slot {
        private final LatencyHistogram latencies = new LatencyHistogram(DIGITS);
        private long right;
        private long total;
        private long failed;

        private void add(LoadRow row) {
            if (row.isFailed()) {
                failed++;
                return;
            }
            latencies.add(row.latencyNanos());
            right += row.right();
            total += row.total();
        }

        private Slot with(Slot other) {
            latencies.add(other.latencies);
            right += other.right;
            total += other.total;
            failed += other.failed;
            return this;
        }
    }

    /** Adds a request to the slot in which it was due. */
    void add(LoadRow row) {
        double sinceMs = Math.max(0, row.dueMs() - beginMs);
        while (sinceMs >= MOST * widthMs) {
            halve();
        }
        int at = (int) (sinceMs / widthMs);
        while (slots.size() <= at) {
            slots.add(new Slot());
        }
        slots.get(at).add(row);
    }

    private void halve() {
        List<Slot> before = List.copyOf(slots);
        slots.clear();
        for (int i = 0; i < before.size(); i += 2) {
            slots.add(i + 1 < before.size() ? before.get(i).with(before.get(i + 1)) : before.get(i));
        }
        widthMs *= 2;
    }

    /**
     * Returns the points, in order: neighboring slots together, until they have {@value #LEAST_IMAGES} answered images or as many failed
     * requests. The last ones join the point before them.
     */
    List<CoursePoint> points() {
        List<Gathered> points = new ArrayList<>();
        Gathered next = new Gathered();
        for (int i = 0; i < slots.size(); i++) {
            next.add(slots.get(i), (i + 0.5) * widthMs / 1_000);
            if (next.slot.total >= LEAST_IMAGES || next.slot.failed >= LEAST_IMAGES) {
                points.add(next);
                next = new Gathered();
            }
        }
        if (next.count() > 0) {
            if (points.isEmpty()) {
                points.add(next);
            } else {
                points.get(points.size() - 1).join(next);
            }
        }
        return points.stream().map(Gathered::point).toList();
    }

    /** Neighboring slots that are one point. */
    private static final class Gathered {
        private final Slot slot = new Slot();
        private double secondsOfAll;

        private long count() {
            return slot.latencies.count() + slot.failed;
        }

        /** Copies: the slot goes on. */
        private void add(Slot other, double middleSeconds) {
            secondsOfAll += middleSeconds * (other.latencies.count() + other.failed);
            Slot unused = slot.with(other);
        }

        private void join(Gathered other) {
            secondsOfAll += other.secondsOfAll;
            Slot unused = slot.with(other.slot);
        }

        private CoursePoint point() {
            // Of no images there is no share.
            Optional<WilsonInterval> interval =
                    slot.total == 0 ? Optional.empty() : Optional.of(WilsonInterval.of(slot.right, slot.total));
            return new CoursePoint(
                    secondsOfAll / count(),
                    slot.latencies.count(),
                    slot.failed,
                    slot.total == 0 ? Double.NaN : (double) slot.right / slot.total,
                    interval.map(WilsonInterval::low).orElse(Double.NaN),
                    interval.map(WilsonInterval::high).orElse(Double.NaN),
                    slot.latencies.percentile(0.5) / 1e6,
                    slot.latencies.percentile(0.99) / 1e6);
        }
    }

    double widthSeconds() {
        return widthMs / 1_000;
    }
}
