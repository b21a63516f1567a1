package org.fleetgrad.testing.cost;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Divides processor time among the classes that run. Between two events, the classes that run at the same time share the used
 * time equally. Not thread-safe.
 */
final class ClassCosts {

    /** Time that no class causes: the start of the JVM, and test discovery. */
    static final String BETWEEN = "(between classes)";

    private final Map<String, Integer> running = new HashMap<>();
    private final Map<String, Duration> costs = new LinkedHashMap<>();
    private Duration counted = Duration.ZERO;

    /** Records the start of a class, at this total of processor time. */
    void begin(String name, Duration soFar) {
        divide(soFar);
        running.merge(name, 1, Integer::sum);
    }

    /** Records the end of a class, at this total of processor time. */
    void end(String name, Duration soFar) {
        divide(soFar);
        running.computeIfPresent(name, (same, count) -> count == 1 ? null : count - 1);
    }

    /** Returns each class with its processor time; the sum is the total of the last event. */
    Map<String, Duration> costs() {
        return Map.copyOf(costs);
    }

    private void divide(Duration soFar) {
        Duration used = soFar.minus(counted);
        counted = soFar;
        if (running.isEmpty()) {
            costs.merge(BETWEEN, used, Duration::plus);
        } else {
            Duration part = used.dividedBy(running.size());
            running.keySet().forEach(name -> costs.merge(name, part, Duration::plus));
        }
    }
}
