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
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What waits to be sent: a bounded number of metrics, and the rest of a run. Adding never waits. Thread-safe. */
final class Outbox {

    /** Some 5 MB; an hour of a long run's curves, and minutes of a young one's. */
    static final int MOST_METRICS = 100_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
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
    void add(List<Metric> row) {
        lock.lock();
        try {
            if (isClosed || metrics.size() + row.size() > MOST_METRICS) {
                lost += row.size();
                return;
            }
            metrics.addAll(row);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void describe(Map<String, String> more) {
        lock.lock();
        try {
            parameters.putAll(more);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void attach(List<Path> files) {
        lock.lock();
        try {
            artifacts.addAll(files);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the run. The first end counts. */
    void end(End how) {
        lock.lock();
        try {
            end = end == null ? how : end;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    Optional<End> end() {
        lock.lock();
        try {
            return Optional.ofNullable(end);
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing more, and forgets what waits. */
    void close() {
        lock.lock();
        try {
            isClosed = true;
            lost += metrics.size();
            metrics.clear();
        } finally {
            lock.unlock();
        }
    }

    void lose(int count) {
        lock.lock();
        try {
            lost += count;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of metrics that will never be sent. */
    long lost() {
        lock.lock();
        try {
            return lost;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until something can be sent, or the run ends. */
    void awaitNews() throws InterruptedException {
        lock.lock();
        try {
            while (metrics.isEmpty() && parameters.isEmpty() && artifacts.isEmpty() && end == null) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits, but not longer than until the run ends. */
    void pause(Duration pause) throws InterruptedException {
        lock.lock();
        try {
            long left = pause.toNanos();
            while (end == null && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes up to a number of metrics, and as many parameters. */
    Parcel take(int mostMetrics, int mostParameters) {
        lock.lock();
        try {
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
        } finally {
            lock.unlock();
        }
    }

    List<Path> takeArtifacts() {
        lock.lock();
        try {
            List<Path> all = List.copyOf(artifacts);
            artifacts.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }
}
