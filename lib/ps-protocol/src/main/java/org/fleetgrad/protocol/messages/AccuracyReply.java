package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * The newest evaluation.
 *
 * @param code       200
 * @param accuracy   share of held-out samples classified correctly; absent before the first evaluation
 * @param accuracyTop5 share of these samples whose label was among the five most probable classes, if it was reported
 * @param loss       mean loss over these samples
 * @param version    the evaluated version
 * @param samples    number of held-out samples
 * @param generation history of the version
 * @param best       best accuracy of this generation so far
 */
public record AccuracyReply(
        int code,
        @Nullable Double accuracy,
        @Nullable Double accuracyTop5,
        @Nullable Double loss,
        @Nullable Long version,
        @Nullable Long samples,
        String generation,
        @Nullable Double best) {}
