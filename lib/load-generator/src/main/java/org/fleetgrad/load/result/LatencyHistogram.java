package org.fleetgrad.load.result;

import org.HdrHistogram.Histogram;

/**
 * Latencies in bounded memory, however many there are: a {@link Histogram} whose largest value is exact. A percentile is
 * never too small. Not thread-safe.
 */
final class LatencyHistogram {

    private final Histogram histogram;
    private long largest;

    /** @param digits decimal digits of precision: with 3, percentiles are less than 0.1% too large */
    LatencyHistogram(int digits) {
        this.histogram = new Histogram(digits);
    }

    void add(long nanos) {
        histogram.recordValue(nanos);
        largest = Math.max(largest, nanos);
    }

    void add(LatencyHistogram other) {
        histogram.add(other.histogram);
        largest = Math.max(largest, other.largest);
    }

    long count() {
        return histogram.getTotalCount();
    }

    /** Returns the largest latency in nanoseconds; 0 if there is none. */
    long largest() {
        return largest;
    }

    /** Returns the nearest-rank percentile in nanoseconds, of a share such as 0.99; 0 if there is none. */
    long percentile(double share) {
        // Of 0 itself, the library returns the lower end of a bucket.
        return Math.min(histogram.getValueAtPercentile(Math.max(Double.MIN_VALUE, 100 * share)), largest);
    }
}
