package org.fleetgrad.serving.batching;

import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;

/** Hears what a {@link Batcher} computes. Called by the thread that computed, one call at a time; it must be quick. */
public interface BatchListener {

    /** Hears nothing. */
    BatchListener NONE = new BatchListener() {
        @Override
        public void computed(Optional<ParameterVersion> version, int images, long computeNanos) {}

        @Override
        public void answered(Optional<ParameterVersion> version, int images, long queueNanos, long computeNanos) {}
    };

    /**
     * A batch was computed.
     *
     * @param version      that computed it; empty if none did
     * @param images       samples in it
     * @param computeNanos nanoseconds that it took
     */
    void computed(Optional<ParameterVersion> version, int images, long computeNanos);

    /**
     * A request of the batch has its outcome.
     *
     * @param version      that answered it; empty if it has no answer
     * @param images       samples in it
     * @param queueNanos   nanoseconds that it waited for its batch
     * @param computeNanos nanoseconds that the whole batch took
     */
    void answered(Optional<ParameterVersion> version, int images, long queueNanos, long computeNanos);
}
