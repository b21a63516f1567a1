package org.fleetgrad.ps.step;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.fleetgrad.ps.parameters.BufferPool;
import org.fleetgrad.ps.parameters.Gradient;

/**
 * The staged gradients, which do not count yet, at most one per worker: another server, the lead, decides whether they
 * count (ADR 31). The applier writes it, any thread may read it.
 */
public final class StagedGradients {

    /**
     * Bytes of the heap for each byte of staged gradients: a checkpoint has a copy of them, and other parts need
     * memory, too.
     */
    private static final int SHARE_OF_HEAP = 6;

    private final BufferPool<float[]> buffers;
    private final long maxBytes;
    private final Map<String, Gradient> staged = new ConcurrentHashMap<>();

    /** Makes an empty set for a sixth of the heap; the values of dropped gradients return to {@code buffers}. */
    public StagedGradients(BufferPool<float[]> buffers) {
        this(buffers, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    }

    StagedGradients(BufferPool<float[]> buffers, long maxBytes) {
        this.buffers = buffers;
        this.maxBytes = maxBytes;
    }

    /**
     * Returns why a gradient cannot be staged now; empty if it can. A departed worker's gradient stays until another
     * worker commits or drops it, and each new worker may leave one more. One gradient is admitted however large it is.
     */
    public Optional<String> stagingRefusal(Gradient gradient) {
        String worker = gradient.metadata().worker();
        long others = staged.entrySet().stream()
                .filter(each -> !each.getKey().equals(worker))
                .mapToLong(each -> bytes(each.getValue()))
                .sum();
        return others == 0 || others + bytes(gradient) <= maxBytes
                ? Optional.empty()
                : Optional.of(
                        "%d staged gradients have %d bytes, and %d more would pass the limit of %d: the server waits until they are settled"
                                .formatted(staged.size(), others, bytes(gradient), maxBytes));
    }

    private static long bytes(Gradient gradient) {
        return (long) Float.BYTES * gradient.values().length;
    }

    public boolean isEmpty() {
        return staged.isEmpty();
    }

    /** Stages a gradient; replaces an earlier one of its worker. The ownership of its values passes to this set. */
    public void put(Gradient gradient) {
        Gradient before = staged.put(gradient.metadata().worker(), gradient);
        if (before != null && before.values() != gradient.values()) {
            buffers.release(before.values());
        }
    }

    /** Returns the gradient that a worker staged. */
    public Optional<Gradient> of(String worker) {
        return Optional.ofNullable(staged.get(worker));
    }

    /** Returns the gradient that a worker staged with a sequence number. */
    public Optional<Gradient> of(String worker, long sequence) {
        return of(worker).filter(each -> each.metadata().sequence() == sequence);
    }

    /** Removes a gradient; the ownership of its values passes to the caller. */
    public Gradient take(String worker, long sequence) {
        Gradient taken = of(worker, sequence).orElseThrow();
        staged.remove(worker);
        return taken;
    }

    /** Drops a gradient that does not count; does nothing if it is not staged. */
    public void drop(String worker, long sequence) {
        of(worker, sequence)
                .ifPresent(each -> buffers.release(take(worker, sequence).values()));
    }

    /**
     * Tells whether a step from {@code version} must wait for a decision: whether a departed worker staged a gradient
     * for it, and can no longer relay the lead's answer.
     */
    public boolean isUndecided(long version, Set<String> live) {
        return staged.values().stream()
                .map(Gradient::metadata)
                .anyMatch(of -> of.baseVersion() == version && !live.contains(of.worker()));
    }

    /** Returns all staged gradients, sorted by worker. */
    public List<Gradient> all() {
        return staged.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Drops all: the history that they belong to is over. */
    public void clear() {
        staged.values().forEach(gradient -> buffers.release(gradient.values()));
        staged.clear();
    }

    /** Returns a copy of all. */
    public List<Gradient> state() {
        return all().stream()
                .map(gradient ->
                        new Gradient(gradient.metadata(), gradient.values().clone()))
                .toList();
    }

    /** Restores what was staged in an earlier process of the run, and takes over its arrays. */
    public void restore(List<Gradient> state) {
        staged.clear();
        state.forEach(this::put);
    }
}
