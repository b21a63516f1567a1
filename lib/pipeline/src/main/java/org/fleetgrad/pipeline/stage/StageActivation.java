package org.fleetgrad.pipeline.stage;

import java.util.OptionalInt;
import org.fleetgrad.pipeline.frame.Frame;

/** The result of a forward pass and, if it was kept, the graph for the backward pass. */
public interface StageActivation extends AutoCloseable {

    /**
     * Returns the frame for the next stage. While the graph is kept, each call makes a new frame.
     *
     * @throws IllegalStateException on the last stage, whose result is the loss; or if the graph was kept and is closed now
     */
    Frame output();

    /**
     * Returns the mean loss over the micro-batch.
     *
     * @throws IllegalStateException on every stage but the last
     */
    float loss();

    /** Returns how many samples of the micro-batch were classified correctly; empty on every stage but the last. */
    default OptionalInt correct() {
        return OptionalInt.empty();
    }

    /** Frees the graph and its tensors, with or without a backward pass. Idempotent. */
    @Override
    void close();
}
