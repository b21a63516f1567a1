package org.fleetgrad.worker.action;

/** The message for a full heap. */
public final class FullHeap {

    private FullHeap() {}

    /** Returns how large the heap is, and what helps. */
    public static String explain(OutOfMemoryError full) {
        return "its heap of %d MiB is full (%s); give the action more memory, or it smaller shards"
                .formatted(Runtime.getRuntime().maxMemory() >> 20, full.getMessage());
    }
}
