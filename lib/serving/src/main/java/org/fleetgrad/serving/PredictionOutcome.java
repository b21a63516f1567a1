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

    /** The version that the request names is not held; the held ones are oldest first. */
    record NotHeld(WantedVersion wanted, List<ParameterVersion> held) implements Refusal {
        public NotHeld {
            held = List.copyOf(held);
        }
    }

    /** The version takes other samples: the network or the tokenizer changed after they were read. Read them again. */
    record OtherForm(SampleForm taken) implements Refusal {}

    /** The queue is full; retry later. Images and bytes are those in the queue, and the most that it takes. */
    record Full(int images, int maxImages, long bytes, long maxBytes) implements Refusal {}

    /**
     * There is no room for another completion; retry later.
     *
     * @param running  number of completions now, of at most {@code most}
     * @param bytes    that they take now, of at most {@code mostBytes}
     * @param asked    bytes that the request would have added
     */
    record CompletionsFull(int running, int most, long bytes, long asked, long mostBytes) implements Refusal {}

    /** No new requests are admitted, because the program shuts down. */
    record Closing() implements Refusal {}
}
