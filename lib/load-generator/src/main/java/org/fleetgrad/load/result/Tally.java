package org.fleetgrad.load.result;

import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.fleetgrad.load.result.LoadRow.AnsweringVersion;

/** Adds up the requests of a phase, or of a complete run, in bounded memory. Not thread-safe. */
final class Tally {

    /** Percentiles are less than 0.1% too large. */
    private static final int DIGITS = 3;

    private final LatencyHistogram latencies = new LatencyHistogram(DIGITS);
    private final VersionsSeen versions = new VersionsSeen();
    private final RequestFailures failures = new RequestFailures();
    private final BitSet clients = new BitSet();
    private long failed;
    private long right;
    private long total;
    private long repeated;
    private long differing;
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
        repeated += row.repeated();
        differing += row.differing();
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
                repeated,
                differing,
                versions.count(),
                failures.byReason());
    }

    private static double ms(long nanos) {
        return nanos / 1e6;
    }

    /** The different versions that answered. Counts up to {@link #MOST}, so that a long run needs no more memory. Not thread-safe. */
    static final class VersionsSeen {

        /** Some 20 MB; a run would have to see 200,000 steps. */
        static final int MOST = 200_000;

        private final Set<AnsweringVersion> versions = new HashSet<>();

        void add(AnsweringVersion version) {
            if (versions.size() < MOST) {
                versions.add(version);
            }
        }

        int count() {
            return versions.size();
        }
    }

    /** Failed requests by reason. Memory is bounded: beyond a number of reasons, they are counted as "other". Not thread-safe. */
    static final class RequestFailures {

        private static final int MOST_REASONS = 20;
        private static final String OTHER = "other";

        private final Map<String, Long> counts = new TreeMap<>();

        void add(String reason) {
            boolean isKnown = counts.containsKey(reason) || counts.size() < MOST_REASONS;
            counts.merge(isKnown ? reason : OTHER, 1L, Long::sum);
        }

        /** Returns the counts, the most frequent reason first. */
        Map<String, Long> byReason() {
            Map<String, Long> sorted = new LinkedHashMap<>();
            counts.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                            .thenComparing(Map.Entry.comparingByKey()))
                    .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
            return sorted;
        }
    }
}
