package org.fleetgrad.benchmarks.figures;

import java.util.Arrays;

/** How long each of many repetitions took, in nanoseconds. */
public final class Timings {

    private static final int MOST = 1 << 20;

    private final double[] sorted;

    /** Keeps these, in any order. */
    public Timings(double... nanos) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("nothing was timed");
        }
        sorted = nanos.clone();
        Arrays.sort(sorted);
    }

    /** Something to be timed. */
    @FunctionalInterface
    public interface Repetition {
        /** Does it once. */
        void run() throws Exception;
    }

    /** Repeats until as many milliseconds have passed, and at least once. */
    public static Timings during(long milliseconds, Repetition repetition) throws Exception {
        double[] nanos = new double[1024];
        int count = 0;
        long begin = System.nanoTime();
        long before = begin;
        while (count < MOST && (count == 0 || before - begin < milliseconds * 1_000_000)) {
            repetition.run();
            long after = System.nanoTime();
            if (count == nanos.length) {
                nanos = Arrays.copyOf(nanos, 2 * count);
            }
            nanos[count++] = after - before;
            before = after;
        }
        return new Timings(Arrays.copyOf(nanos, count));
    }

    /** Returns how many there are. */
    public int count() {
        return sorted.length;
    }

    /** Returns the time, in nanoseconds, below which this share of them lies: the nearest rank. */
    public double percentile(double share) {
        return sorted[(int) Math.min(sorted.length - 1L, (long) Math.ceil(share * sorted.length - 1))];
    }

    /** Returns the median in microseconds. */
    public double medianMicros() {
        return Figure.median(sorted) / 1e3;
    }

    /** Returns the sum in seconds. */
    public double totalSeconds() {
        return Arrays.stream(sorted).sum() / 1e9;
    }
}
