package org.fleetgrad.load.result;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Failed requests by reason. Memory is bounded: beyond a number of reasons, they are counted as "other". Not thread-safe. */
final class RequestFailures {

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
