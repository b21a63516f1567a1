package org.fleetgrad.mlflow;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What waits to be sent: a bounded number of metrics, and the rest of a run. Adding never waits. Thread-safe. */
final class Outbox {

    /** Some 5 MB; an hour of a long run's curves, and minutes of a young one's. */
    static final int MOST_METRICS = 100_000;

    private final Queue<Metric> metrics = new ArrayDeque<>();
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private final List<Path> artifacts = new ArrayList<>();
    private @Nullable End end;
    private boolean isClosed;
    private long lost;

    /**
     * How a run ended.
     *
     * @param deadline of {@link System#nanoTime()}, after which nothing more is sent
     */
    record End(TrackedRun.Status status, long deadline) {

        Duration left() {
            return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        }
    }

    /** What is sent next. */
    record Parcel(List<Metric> metrics, Map<String, String> parameters) {

        boolean isEmpty() {
            return metrics.isEmpty() && parameters.isEmpty();
        }
    }

    /** Adds metrics that belong together; drops all of them if the outbox would be too full. */
    synchronized void add(List<Metric> row) {
        if (isClosed || metrics.size() + row.size() > MOST_METRICS) {
            lost += row.size();
            return;
        }
        metrics.addAll(row);
        notifyAll();
    }

    synchronized void describe(Map<String, String> more) {
        parameters.putAll(more);
        notifyAll();
    }

    synchronized void attach(List<Path> files) {
        artifacts.addAll(files);
        notifyAll();
    }

    /** Ends the run. The first end counts. */
    synchronized void end(End how) {
        end = end == null ? how : end;
        notifyAll();
    }

    synchronized Optional<End> end() {
        return Optional.ofNullable(end);
    }

    /** Takes nothing more, and forgets what waits. */
    synchronized void close() {
        isClosed = true;
        lost += metrics.size();
        metrics.clear();
    }

    synchronized void lose(int count) {
        lost += count;
    }

    /** Returns the number of metrics that will never be sent. */
    synchronized long lost() {
        return lost;
    }

    /** Waits until something can be sent, or the run ends. */
    synchronized void awaitNews() throws InterruptedException {
        while (metrics.isEmpty() && parameters.isEmpty() && artifacts.isEmpty() && end == null) {
            wait();
        }
    }

    /** Waits, but not longer than until the run ends. */
    synchronized void pause(Duration pause) throws InterruptedException {
        long until = System.nanoTime() + pause.toNanos();
        for (long left = pause.toNanos(); end == null && left > 0; left = until - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    /** Removes up to a number of metrics, and as many parameters. */
    synchronized Parcel take(int mostMetrics, int mostParameters) {
        List<Metric> some = new ArrayList<>();
        while (some.size() < mostMetrics && !metrics.isEmpty()) {
            some.add(metrics.remove());
        }
        Map<String, String> described = new LinkedHashMap<>();
        parameters.entrySet().stream()
                .limit(mostParameters)
                .forEach(each -> described.put(each.getKey(), each.getValue()));
        parameters.keySet().removeAll(described.keySet());
        return new Parcel(some, described);
    }

    synchronized List<Path> takeArtifacts() {
        List<Path> all = List.copyOf(artifacts);
        artifacts.clear();
        return all;
    }
}
