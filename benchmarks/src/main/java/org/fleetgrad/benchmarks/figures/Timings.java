package org.fleetgrad.benchmarks.figures;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** The times of many repetitions, in nanoseconds. */
public final class Timings {

    private final double[] sorted;

    public Timings(double... nanos) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("nothing was timed");
        }
        sorted = nanos.clone();
        Arrays.sort(sorted);
    }

    @FunctionalInterface
    public interface Repetition {
        void run() throws Exception;
    }

    /** Repeats until {@code milliseconds} have passed, and at least once. */
    public static Timings during(long milliseconds, Repetition repetition) throws Exception {
        DoubleStream.Builder nanos = DoubleStream.builder();
        long begin = System.nanoTime();
        long before = begin;
        do {
            repetition.run();
            long after = System.nanoTime();
            nanos.accept((double) (after - before));
            before = after;
        } while (before - begin < milliseconds * 1_000_000);
        return new Timings(nanos.build().toArray());
    }

    public int count() {
        return sorted.length;
    }

    /** Returns the time, in nanoseconds, below which this share of the timings lies: the nearest rank. */
    public double percentile(double share) {
        return sorted[(int) Math.min(sorted.length - 1L, (long) Math.ceil(share * sorted.length - 1))];
    }

    public double medianMicros() {
        return Values.of(sorted).median() / 1e3;
    }

    public double totalSeconds() {
        return Arrays.stream(sorted).sum() / 1e9;
    }
}
