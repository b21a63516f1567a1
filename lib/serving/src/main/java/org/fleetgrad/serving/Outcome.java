package org.fleetgrad.serving;

import java.util.List;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.policy.WantedVersion;

/** What comes of a request: an answer, or the reason why there is none. */
public sealed interface Outcome {

    /**
     * The request was computed.
     *
     * @param answer what one version computed
     */
    record Answered(Answer answer) implements Outcome {}

    /** The request was not computed. */
    sealed interface Refusal extends Outcome {}

    /** No version answers: none came yet, or the policy waits for one. */
    record NoVersion() implements Refusal {}

    /**
     * The version that the request asks for is not held.
     *
     * @param wanted what it asks for
     * @param held   the versions that it may ask for, oldest first
     */
    record NotHeld(WantedVersion wanted, List<ParameterVersion> held) implements Refusal {
        public NotHeld {
            held = List.copyOf(held);
        }
    }

    /**
     * The version takes images of another shape, since another network came after the images were read: read them again.
     *
     * @param taken the shape that it takes
     */
    record OtherShape(ImageShape taken) implements Refusal {}

    /**
     * Too much waits already; ask again later.
     *
     * @param images     images that wait
     * @param mostImages most images that may wait
     * @param bytes      memory of the images that wait
     * @param mostBytes  most memory of images that wait
     */
    record Full(int images, int mostImages, long bytes, long mostBytes) implements Refusal {}

    /** No new requests are taken, because the program ends. */
    record Closing() implements Refusal {}
}
