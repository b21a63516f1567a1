package org.fleetgrad.e2e.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What a process that lives through a span of time takes of the machine. Thread-safe. */
final class Vitals {

    private static final double BYTES_IN_MEBIBYTE = 1024.0 * 1024;
    private static final double MILLIS_IN_HOUR = Duration.ofHours(1).toMillis();
    /** Workers come and go, so no two moments have the same number of connections. */
    private static final double TOLERATED_SHARE = 0.15;

    private static final double TOLERATED = 10;

    private final long spanMillis;
    private final List<Sample> samples = new ArrayList<>();

    /**
     * One look at the process.
     *
     * @param millis    since the span began
     * @param heapBytes of objects that are reachable
     */
    record Sample(long millis, double heapBytes, double descriptors, double threads) {}

    Vitals(Duration span) {
        this.spanMillis = span.toMillis();
    }

    synchronized void add(Sample sample) {
        samples.add(sample);
    }

    /**
     * Returns the growth of the heap by least squares, in MiB an hour. The first quarter is left out: a young process loads classes and
     * fills its caches.
     */
    synchronized double heapSlope() {
        List<Sample> late = quarters(1, 4);
        double meanX = late.stream().mapToDouble(Sample::millis).average().orElse(0);
        double meanY = late.stream().mapToDouble(Sample::heapBytes).average().orElse(0);
        double xy = 0;
        double xx = 0;
        for (Sample sample : late) {
            xy += (sample.millis() - meanX) * (sample.heapBytes() - meanY);
            xx += (sample.millis() - meanX) * (sample.millis() - meanX);
        }
        return xx == 0 ? 0 : xy / xx * MILLIS_IN_HOUR / BYTES_IN_MEBIBYTE;
    }

    /** Returns {@code flat}, or the two medians if there are more file descriptors in the last quarter than in the second. */
    String descriptors() {
        return growth(Sample::descriptors);
    }

    /** Returns {@code flat}, or the two medians if there are more threads in the last quarter than in the second. */
    String threads() {
        return growth(Sample::threads);
    }

    private synchronized String growth(ToDoubleFunction<Sample> count) {
        double second = median(quarters(1, 2), count);
        double last = median(quarters(3, 4), count);
        // Without a sample nothing is known, and that is no proof.
        boolean isFlat = last <= second * (1 + TOLERATED_SHARE) + TOLERATED;
        return isFlat ? "flat" : "%.0f->%.0f".formatted(second, last);
    }

    private List<Sample> quarters(int begin, int end) {
        return samples.stream()
                .filter(sample -> sample.millis() * 4 >= spanMillis * begin && sample.millis() * 4 < spanMillis * end)
                .toList();
    }

    private static double median(List<Sample> of, ToDoubleFunction<Sample> count) {
        double[] sorted = of.stream().mapToDouble(count).toArray();
        Arrays.sort(sorted);
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    }

    @Override
    public synchronized String toString() {
        double[] heap = samples.stream().mapToDouble(Sample::heapBytes).sorted().toArray();
        return "%d samples, heap %.1f to %.1f MiB, %.2f MiB/h, descriptors %.0f then %.0f, threads %.0f then %.0f"
                .formatted(
                        samples.size(),
                        heap.length == 0 ? 0 : heap[0] / BYTES_IN_MEBIBYTE,
                        heap.length == 0 ? 0 : heap[heap.length - 1] / BYTES_IN_MEBIBYTE,
                        heapSlope(),
                        median(quarters(1, 2), Sample::descriptors),
                        median(quarters(3, 4), Sample::descriptors),
                        median(quarters(1, 2), Sample::threads),
                        median(quarters(3, 4), Sample::threads));
    }
}
