package org.fleetgrad.inference;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of feedback, {@code inference.feedback.*}.
 *
 * @param memory     memory that remembers which predictions had feedback: one bit for each
 * @param policyFrom labels from which the live accuracy of a version takes the place of its held-out one in policies; 0 for never
 * @param learn      how answers with labels become samples of the training
 */
public record FeedbackProperties(
        @DefaultValue("4MB") DataSize memory,
        @DefaultValue("0") int policyFrom,
        @DefaultValue LearnProperties learn) {

    /** An answer of as many images as {@code inference.max-batch} allows at most fits. */
    private static final DataSize MIN_MEMORY = DataSize.ofKilobytes(64);

    private static final DataSize MAX_MEMORY = DataSize.ofGigabytes(1);

    /** Checks the values that the types allow but the service does not. */
    public FeedbackProperties {
        InferenceProperties.require(
                memory.compareTo(MIN_MEMORY) >= 0 && memory.compareTo(MAX_MEMORY) <= 0,
                "feedback.memory",
                memory,
                "a size from %dKB to %dMB, such as 4MB".formatted(MIN_MEMORY.toKilobytes(), MAX_MEMORY.toMegabytes()));
        InferenceProperties.require(
                policyFrom >= 0,
                "feedback.policy-from",
                policyFrom,
                "a number of labels such as 100, or 0 for policies by held-out scores alone");
    }
}
