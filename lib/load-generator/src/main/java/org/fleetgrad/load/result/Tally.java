package org.fleetgrad.load.result;

import java.util.BitSet;

/** Adds up the requests of a phase, or of a complete run, in bounded memory. Not thread-safe. */
final class Tally {

    /** Percentiles are less than 0.1% too large. */
    private static final int BITS = 10;

    private final LatencyHistogram latencies = new LatencyHistogram(BITS);
    private final VersionsSeen versions = new VersionsSeen();
    private final RequestFailures failures = new RequestFailures();
    private final BitSet clients = new BitSet();
    private long failed;
    private long right;
    private long total;
    private double firstDueMs = Double.POSITIVE_INFINITY;
    private double lastEndMs = Double.NEGATIVE_INFINITY;

    void add(LoadRow row) {
        clients.set(row.client());
        firstDueMs = Math.min(firstDueMs, row.dueMs());
        lastEndMs = Math.max(lastEndMs, row.endMs());
        if (row.isFailed()) {
            failed++;
            failures.add(row.failure());
            return;
        }
        latencies.add(row.latencyNanos());
        right += row.right();
        total += row.total();
        row.version().ifPresent(versions::add);
    }

    LoadFigures figures() {
        long answered = latencies.count();
        double seconds = answered + failed == 0 ? 0 : (lastEndMs - firstDueMs) / 1_000;
        return new LoadFigures(
                clients.cardinality(),
                answered + failed,
                failed,
                ms(latencies.percentile(0.5)),
                ms(latencies.percentile(0.9)),
                ms(latencies.percentile(0.99)),
                ms(latencies.largest()),
                seconds,
                seconds > 0 ? answered / seconds : 0,
                seconds > 0 ? total / seconds : 0,
                right,
                total,
                versions.count(),
                failures.byReason());
    }

    private static double ms(long nanos) {
        return nanos / 1e6;
    }
}
