package org.fleetgrad.ps.operation;

import java.util.Map;
import java.util.TreeMap;

/**
 * Says how many workers the run should have, for an autoscaler that reads it as a metric: as many as are worth keeping in samples
 * per second, and no more than there are pieces of work.
 *
 * <p>The workers come and go from outside. The figures are taken over windows in which their number was the same, on average:
 * a standalone worker leaves for a moment between two shards. With {@code r(n)} samples per second of {@code n} workers, the last
 * change from {@code a} to {@code b} was worth it if each worker between them adds its share of an average one (ADR 20):
 *
 * <pre>(r(b) - r(a)) / (b - a) >= 0.5 r(min(a, b)) / min(a, b)</pre>
 *
 * <p>One thread measures, others read.
 */
public final class WantedWorkers {

    private static final double SHARE = 0.5;
    private static final long WINDOW_MS = 15_000;

    /** The farthest that an average number of workers is from a whole one, if that number did not change in the window. */
    private static final double NEAR = 0.25;

    /** After a change that was not worth it nothing is tried for so long: other work on the machines changes, but trials cost. */
    private static final long REST_MS = 600_000;

    /** Kubernetes changes nothing if the wanted number is within 10% of the actual one, so a trial is larger than that. */
    private static final int STEP_OF = 8;

    private final Map<Integer, Double> rates = new TreeMap<>();
    private boolean isBegun;
    private long begin;
    private long beginSamples;
    private long last;
    private double workerMs;
    private int now;
    private int before;
    private long changed;
    private volatile double added = Double.NaN;
    private volatile int wanted = 1;

    /** Returns the samples per second that each worker added when their number changed last; NaN before that was measured. */
    public double added() {
        return added;
    }

    /** Returns the number of workers that the run should have. */
    public int wanted() {
        return wanted;
    }

    /**
     * Takes the figures of a moment.
     *
     * @param ms      of the clock
     * @param samples in applied gradients so far
     * @param workers registered now
     * @param pieces  of work that workers hold or may get
     */
    void look(long ms, long samples, int workers, long pieces) {
        if (!isBegun || samples < beginSamples || ms < last) {
            begin(ms, samples);
        }
        workerMs += (double) workers * (ms - last);
        last = ms;
        if (ms - begin >= WINDOW_MS) {
            measured(ms, workerMs / (ms - begin), (samples - beginSamples) * 1e3 / (ms - begin));
            begin(ms, samples);
        }
        wanted = (int) Math.min(pieces, advised(ms));
    }

    private void begin(long ms, long samples) {
        isBegun = true;
        begin = ms;
        beginSamples = samples;
        last = ms;
        workerMs = 0;
    }

    private void measured(long ms, double average, double rate) {
        int workers = (int) Math.round(average);
        if (workers == 0 || Math.abs(average - workers) > NEAR) {
            return;
        }
        rates.put(workers, rate);
        if (workers != now) {
            before = now;
            now = workers;
            changed = ms;
        }
        if (before > 0) {
            added = (rateOf(now) - rateOf(before)) / (now - before);
        }
    }

    private double rateOf(int workers) {
        return rates.getOrDefault(workers, 0.0);
    }

    private int advised(long ms) {
        int more = now + 1 + now / STEP_OF;
        if (before == 0 || ms - changed >= REST_MS) {
            return more;
        }
        int fewer = Math.min(before, now);
        boolean isWorthIt = added >= SHARE * rateOf(fewer) / fewer;
        if (isWorthIt) {
            return now > before ? more : before;
        }
        return fewer;
    }
}
