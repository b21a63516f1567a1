package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * Reports an evaluation.
 *
 * @param generation history of the evaluated version
 * @param version    the evaluated version
 * @param accuracy   share of held-out samples classified correctly, 0 to 1
 * @param accuracyTop5 share of these samples whose label was among the five most probable classes, if the evaluator has it
 * @param loss       mean loss over these samples, if the evaluator has it
 * @param samples    number of held-out samples
 */
public record PutAccuracyRequest(
        @Nullable String generation,
        @Nullable Long version,
        @Nullable Double accuracy,
        @Nullable Double accuracyTop5,
        @Nullable Double loss,
        @Nullable Long samples) {}
