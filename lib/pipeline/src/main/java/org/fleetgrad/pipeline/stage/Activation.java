package org.fleetgrad.pipeline.stage;

import java.util.OptionalInt;
import org.fleetgrad.pipeline.frame.Frame;

/** What a forward pass left: its result and, if it was kept, the graph to go backward through. */
public interface Activation extends AutoCloseable {

    /**
     * Returns the frame for the next stage. While the graph is kept, each call makes a new one of its values.
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

    /** Returns how many samples of the micro-batch the last stage had right; empty on every other stage. */
    default OptionalInt correct() {
        return OptionalInt.empty();
    }

    /** Frees the graph and its tensors, whether or not they went backward. A second call does nothing. */
    @Override
    void close();
}
