package org.fleetgrad.serving.completion;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.serving.PredictionOutcome.CompletionsFull;
import org.fleetgrad.serving.VersionLease;

/**
 * Counts the completions and their memory: the cache of each, and each leased copy of a version once. A copy that the model holds
 * as well is counted, since the model may evict it at any time. Thread-safe.
 */
final class CompletionMemory {

    private final CompletionLimits limits;
    private final Map<Object, Integer> leases = new HashMap<>();
    private int running;
    private long bytes;

    CompletionMemory(CompletionLimits limits) {
        this.limits = limits;
    }

    /** Takes memory for a completion; returns what is taken already if there is no room. */
    synchronized Optional<CompletionsFull> take(VersionLease lease, long cacheBytes) {
        long asked = cacheBytes + added(lease);
        if (running >= limits.running() || asked > limits.bytes() - bytes) {
            return Optional.of(new CompletionsFull(running, limits.running(), bytes, asked, limits.bytes()));
        }
        running++;
        bytes += asked;
        leases.merge(lease.copy(), 1, Integer::sum);
        return Optional.empty();
    }

    /** Returns whether a completion fits when nothing else takes memory. */
    boolean fitsAlone(VersionLease lease, long cacheBytes) {
        return cacheBytes + lease.bytes() <= limits.bytes();
    }

    /** Takes the memory of another version in place of a completion's; returns whether there is room. */
    synchronized boolean move(VersionLease from, VersionLease to) {
        long freed = leases.getOrDefault(from.copy(), 0) == 1 ? from.bytes() : 0;
        long asked = added(to);
        if (asked - freed > limits.bytes() - bytes) {
            return false;
        }
        bytes += asked;
        leases.merge(to.copy(), 1, Integer::sum);
        drop(from);
        return true;
    }

    synchronized void free(VersionLease lease, long cacheBytes) {
        running--;
        bytes -= cacheBytes;
        drop(lease);
        notifyAll();
    }

    private long added(VersionLease lease) {
        return leases.containsKey(lease.copy()) ? 0 : lease.bytes();
    }

    private void drop(VersionLease lease) {
        if (leases.merge(lease.copy(), -1, Integer::sum) == 0) {
            leases.remove(lease.copy());
            bytes -= lease.bytes();
        }
    }

    /** Waits until there is no completion; returns whether that came in time. */
    synchronized boolean awaitNone(Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        try {
            while (running > 0) {
                long millis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (millis <= 0) {
                    return false;
                }
                wait(millis);
            }
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    synchronized int running() {
        return running;
    }

    synchronized long bytes() {
        return bytes;
    }
}
