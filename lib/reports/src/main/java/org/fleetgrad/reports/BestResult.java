package org.fleetgrad.reports;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The best evaluated version of a run, which its parameter server has kept.
 *
 * @param version     steps when it was the newest
 * @param generation  history that the version counts in
 * @param accuracy    its held-out accuracy; absent if its loss says how good it is
 * @param heldOutLoss its held-out loss; absent if it is not known
 * @param written     whether it is the model that the run wrote
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BestResult(
        long version,
        String generation,
        @Nullable Double accuracy,
        @Nullable Double heldOutLoss,
        boolean written) {}
