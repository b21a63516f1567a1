package org.fleetgrad.worker.stage;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.fleetgrad.pipeline.channel.FrameQueue;

/** The channels between stages of this process: queues in memory. Thread-safe. */
final class LocalBorders {

    private final Collection<Integer> stages;
    private final Map<Integer, FrameQueue> forward = new HashMap<>();
    private final Map<Integer, FrameQueue> backward = new HashMap<>();

    /**
     * @param stages of this process
     */
    LocalBorders(Collection<Integer> stages) {
        this.stages = stages;
    }

    /** Returns whether both sides of the border behind {@code first} are in this process. */
    boolean has(int first) {
        return stages.contains(first) && stages.contains(first + 1);
    }

    /** Returns the queue of the activations over the border behind {@code first}. */
    synchronized FrameQueue forward(int first, int capacity) {
        return forward.computeIfAbsent(
                first, i -> new FrameQueue("activations from stage %d to stage %d".formatted(i, i + 1), capacity));
    }

    /** Returns the queue of the gradients over the border behind {@code first}. */
    synchronized FrameQueue backward(int first) {
        return backward.computeIfAbsent(
                first, i -> new FrameQueue("gradients from stage %d to stage %d".formatted(i + 1, i), 1));
    }
}
