package org.fleetgrad.ps.step;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.fleetgrad.ps.parameters.BufferPool;
import org.fleetgrad.ps.persistence.TrainingState;

/**
 * The gradients that are here and count nothing yet, at most one of each worker: another server, the lead, decides whether
 * they count (ADR 31). The applier writes it, any thread may read it.
 */
public final class StagedGradients {

    /** Bytes of the heap for each byte of staged gradients: a checkpoint has a copy of them, and others need memory, too. */
    private static final int SHARE_OF_HEAP = 6;

    private final BufferPool<float[]> buffers;
    private final long mostBytes;
    private final Map<String, Gradient> staged = new ConcurrentHashMap<>();

    /** Makes an empty set for a sixth of the heap; the values of gradients that are given up go back to {@code buffers}. */
    public StagedGradients(BufferPool<float[]> buffers) {
        this(buffers, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    }

    StagedGradients(BufferPool<float[]> buffers, long mostBytes) {
        this.buffers = buffers;
        this.mostBytes = mostBytes;
    }

    /**
     * Says why a gradient cannot be staged now; empty if it can. Workers that are gone leave theirs until another worker
     * settles it, and each new worker may leave one more. One gradient is let in however large it is.
     */
    public Optional<String> fullFor(Gradient gradient) {
        String worker = gradient.metadata().worker();
        long others = staged.entrySet().stream()
                .filter(there -> !there.getKey().equals(worker))
                .mapToLong(there -> bytes(there.getValue()))
                .sum();
        return others == 0 || others + bytes(gradient) <= mostBytes
                ? Optional.empty()
                : Optional.of(
                        "%d staged gradients have %d bytes, and %d more would pass the limit of %d: the server waits until they are settled"
                                .formatted(staged.size(), others, bytes(gradient), mostBytes));
    }

    private static long bytes(Gradient gradient) {
        return (long) Float.BYTES * gradient.values().length;
    }

    /** Tells whether nothing waits for a decision. */
    public boolean isEmpty() {
        return staged.isEmpty();
    }

    /** Stages a gradient; an earlier copy of it is forgotten. The ownership of its values passes to this set. */
    public void put(Gradient gradient) {
        Gradient before = staged.put(gradient.metadata().worker(), gradient);
        if (before != null && before.values() != gradient.values()) {
            buffers.giveBack(before.values());
        }
    }

    /** Returns the gradient that a worker staged. */
    public Optional<Gradient> of(String worker) {
        return Optional.ofNullable(staged.get(worker));
    }

    /** Returns the gradient that a worker staged under a number. */
    public Optional<Gradient> of(String worker, long sequence) {
        return of(worker).filter(there -> there.metadata().sequence() == sequence);
    }

    /** Takes a gradient out; the ownership of its values passes to the caller. */
    public Gradient take(String worker, long sequence) {
        Gradient taken = of(worker, sequence).orElseThrow();
        staged.remove(worker);
        return taken;
    }

    /** Forgets a gradient that does not count; if it is not here, nothing changes. */
    public void giveUp(String worker, long sequence) {
        of(worker, sequence)
                .ifPresent(there -> buffers.giveBack(take(worker, sequence).values()));
    }

    /**
     * Tells whether a step from {@code version} has to wait for a decision: whether a gradient for it is here of a worker
     * that is gone, which can no longer say what the lead answered.
     */
    public boolean isUndecided(long version, Set<String> live) {
        return staged.values().stream()
                .map(Gradient::metadata)
                .anyMatch(of -> of.baseVersion() == version && !live.contains(of.worker()));
    }

    /** Returns all, sorted by worker. */
    public List<Gradient> all() {
        return staged.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Forgets all: the history that they belong to is over. */
    public void clear() {
        staged.values().forEach(gradient -> buffers.giveBack(gradient.values()));
        staged.clear();
    }

    /** Returns a copy of all. */
    public List<TrainingState.Staged> state() {
        return all().stream()
                .map(gradient -> new TrainingState.Staged(
                        gradient.metadata(), gradient.values().clone()))
                .toList();
    }

    /** Takes over what was staged in another life of the run, with its arrays. */
    public void restore(List<TrainingState.Staged> state) {
        staged.clear();
        state.forEach(each -> put(new Gradient(each.metadata(), each.values())));
    }
}
