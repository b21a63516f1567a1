package org.fleetgrad.serving;

import java.util.List;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.policy.WantedVersion;

/** The outcome of a request: an answer, or the reason why there is none. */
public sealed interface PredictionOutcome permits PredictionResult, PredictionOutcome.Refusal {

    /** The request was not computed. */
    sealed interface Refusal extends PredictionOutcome {}

    /** No version answers: none has arrived yet, or the policy waits for one. */
    record NoVersion() implements Refusal {}

    /**
     * The version that the request names is not held.
     *
     * @param wanted the version that it names
     * @param held   the versions that it may name, oldest first
     */
    record NotHeld(WantedVersion wanted, List<ParameterVersion> held) implements Refusal {
        public NotHeld {
            held = List.copyOf(held);
        }
    }

    /**
     * The version takes images of another shape, because the network changed after the images were read: read them again.
     *
     * @param taken the shape that it takes
     */
    record OtherShape(ImageShape taken) implements Refusal {}

    /**
     * The queue is full; retry later.
     *
     * @param images     images in the queue
     * @param maxImages  maximum images in the queue
     * @param bytes      memory of the images in the queue
     * @param maxBytes  maximum memory of the images in the queue
     */
    record Full(int images, int maxImages, long bytes, long maxBytes) implements Refusal {}

    /** No new requests are admitted, because the program shuts down. */
    record Closing() implements Refusal {}
}
