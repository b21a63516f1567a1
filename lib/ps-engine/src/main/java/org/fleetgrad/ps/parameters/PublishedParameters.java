package org.fleetgrad.ps.parameters;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest snapshot, for any number of readers, and a signal when the next is published.
 *
 * <p>One thread publishes; it never waits for a reader. If slow readers leave no memory for a version, that version is
 * skipped: the one before it stays the newest until there is memory.
 */
public final class PublishedParameters {

    private static final Logger LOG = LoggerFactory.getLogger(PublishedParameters.class);

    /** Versions that must still fit in memory after a reader was admitted: the next one, and the one after it. */
    static final int RESERVED = 2;

    private final int maxAlive;
    private final SnapshotMemory memory;
    private volatile long skippedAt;
    private volatile boolean isSkipping;
    private boolean isOtherHistory;
    private volatile @Nullable SnapshotWriter writer;
    private volatile @Nullable ParameterSnapshot newest;
    private final ConcurrentMap<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private final AtomicLong waits = new AtomicLong();
    private volatile boolean isOver;

    /** A caller that waits for a version above {@code after}. */
    private record Waiting(long after, CompletableFuture<Void> change) {}

    /**
     * @param maxAlive versions that may be alive at once; at this number readers are refused, the publisher never is
     * @param memory    memory for all versions
     */
    public PublishedParameters(int maxAlive, SnapshotMemory memory) {
        this.maxAlive = maxAlive;
        this.memory = memory;
    }

    public SnapshotMemory memory() {
        return memory;
    }

    /**
     * Returns since when versions have been skipped for lack of memory, by {@link System#nanoTime}; empty if none is.
     */
    public OptionalLong skippedSince() {
        return isSkipping ? OptionalLong.of(skippedAt) : OptionalLong.empty();
    }

    /** Returns how many versions are alive: the newest, and those that readers still hold. */
    public int alive() {
        SnapshotWriter open = writer;
        return open == null ? 0 : open.alive();
    }

    /** Tells whether readers hold so many versions that another reader should be refused. */
    public boolean isAtCapacity() {
        SnapshotWriter open = writer;
        if (open == null) {
            return false;
        }
        if (open.alive() >= maxAlive) {
            return true;
        }
        ParameterSnapshot now = newest;
        // Another reader of a version that already has one costs no memory.
        boolean isShared = now != null && now.isRead();
        return !isShared && !memory.hasFree(RESERVED * (long) open.fileBytes());
    }

    /** Begins a history: every later version has these frozen values and this layout, and carries this metadata. */
    public void begin(FrozenValues frozen, Map<String, String> metadata, String generation) {
        writer = new SnapshotWriter(frozen, metadata, generation, memory);
        // Version numbers of different histories cannot be compared.
        isOtherHistory = true;
    }

    /**
     * Makes {@code values}, the trainable ones, the newest version; returns false if there is no memory for it now. The caller tries again
     * later, with the version that is the newest then.
     */
    public boolean publish(ParameterVersion version, float[] values) {
        SnapshotWriter open = writer;
        if (open == null) {
            throw new IllegalStateException("version %s was published before a history began".formatted(version));
        }
        Optional<ParameterSnapshot> written = open.write(version, values);
        if (written.isEmpty()) {
            skipped(version);
            return false;
        }
        isSkipping = false;
        ParameterSnapshot before = newest;
        newest = written.get();
        if (before != null) {
            before.close();
        }
        // Many clients may wait for a version that is far away: each step would wake them all without need.
        boolean isOtherHistoryNow = isOtherHistory;
        isOtherHistory = false;
        wake(caller -> isOtherHistoryNow || caller.after < version.version());
        return true;
    }

    private void skipped(ParameterVersion version) {
        if (!isSkipping) {
            skippedAt = System.nanoTime();
            isSkipping = true;
            LOG.warn(
                    "version {} is not served yet: versions take {} bytes of {}, slow readers hold old ones",
                    version,
                    memory.usedBytes(),
                    memory.limitBytes());
        }
    }

    /** Holds the newest snapshot, which the caller closes; nothing before the first is published. */
    public Optional<ParameterSnapshot> hold() {
        while (true) {
            ParameterSnapshot candidate = newest;
            if (candidate == null) {
                return Optional.empty();
            }
            // Fails only if a newer one was published in between.
            if (candidate.tryHold()) {
                return Optional.of(candidate);
            }
        }
    }

    /** Returns the newest version; nothing before the first is published. */
    public Optional<ParameterVersion> version() {
        ParameterSnapshot snapshot = newest;
        return snapshot == null ? Optional.empty() : Optional.of(snapshot.version());
    }

    /** Returns the layout; nothing before the first version is published. */
    public Optional<TensorLayout> layout() {
        ParameterSnapshot snapshot = newest;
        return snapshot == null ? Optional.empty() : Optional.of(snapshot.layout());
    }

    /** Returns the layout of gradients; nothing before the first version is published. */
    public Optional<TensorLayout> trainable() {
        ParameterSnapshot snapshot = newest;
        return snapshot == null ? Optional.empty() : Optional.of(snapshot.trainable());
    }

    /** Returns the strings that every version carries; none before the first version is published. */
    public Map<String, String> metadata() {
        ParameterSnapshot snapshot = newest;
        return snapshot == null ? Map.of() : snapshot.metadata();
    }

    /** Returns which of the trainable tensors are state; nothing before the first version is published. */
    public Optional<ParameterState> state() {
        ParameterSnapshot snapshot = newest;
        return snapshot == null ? Optional.empty() : Optional.of(snapshot.state());
    }

    /**
     * Returns a future that completes when a version above {@code after} is published, or one of another history. To
     * avoid a lost wakeup, call this first and then check {@link #version}. The future belongs to the caller; a caller
     * that stops waiting completes it, which removes it here. Dependents must be asynchronous, or they would run in the
     * publisher's thread.
     */
    public CompletableFuture<Void> nextChange(long after) {
        CompletableFuture<Void> change = new CompletableFuture<>();
        long wait = waits.incrementAndGet();
        waiting.put(wait, new Waiting(after, change));
        CompletableFuture<Void> unused = change.whenComplete((done, never) -> waiting.remove(wait));
        return change;
    }

    /** Returns how many callers wait for the next publication. */
    public int waiting() {
        return waiting.size();
    }

    /** Wakes waiting callers to re-check: the version or another condition they wait for may have changed. */
    public void wake() {
        wake(caller -> true);
    }

    private void wake(Predicate<Waiting> which) {
        waiting.values().stream().filter(which).forEach(caller -> caller.change.complete(null));
    }

    /** Ends all waiting for the next version; called when the service stops. */
    public void end() {
        isOver = true;
        wake();
    }

    /** Tells whether the service has stopped all waiting for versions. */
    public boolean isOver() {
        return isOver;
    }
}
