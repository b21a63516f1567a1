package org.fleetgrad.e2e.faults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** All acknowledgements that workers received. Thread-safe. */
final class Acknowledgements {

    private final Map<String, NavigableMap<Long, Acknowledgement>> byWorker = new HashMap<>();
    private final NavigableMap<Long, List<Acknowledgement>> bySteps = new TreeMap<>();
    private long count;

    synchronized void add(Acknowledgement acknowledgement) {
        byWorker.computeIfAbsent(acknowledgement.worker(), unknown -> new TreeMap<>())
                .put(acknowledgement.sequence(), acknowledgement);
        bySteps.computeIfAbsent(acknowledgement.step(), unknown -> new ArrayList<>())
                .add(acknowledgement);
        count++;
        notifyAll();
    }

    synchronized long count() {
        return count;
    }

    /** Returns the gradients of each step, by the version that the step produced. */
    synchronized NavigableMap<Long, List<Acknowledgement>> bySteps() {
        NavigableMap<Long, List<Acknowledgement>> copy = new TreeMap<>();
        bySteps.forEach((version, gradients) -> copy.put(version, List.copyOf(gradients)));
        return copy;
    }

    /** Returns an acknowledgement that the server must still remember; {@code back} is 0 for the worker's newest. */
    synchronized Acknowledgement recent(String worker, int back) {
        NavigableMap<Long, Acknowledgement> own = byWorker.getOrDefault(worker, new TreeMap<>());
        List<Acknowledgement> newestFirst = List.copyOf(own.descendingMap().values());
        return newestFirst.get(Math.min(back, newestFirst.size() - 1));
    }
}
