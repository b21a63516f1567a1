package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * Reports that a worker has no gradient for the step from a version, so the step need not wait for it.
 *
 * @param worker     the registered worker
 * @param generation history that the version counts in
 * @param version    the version that the step would be made from
 */
public record PassStepRequest(
        @Nullable String worker,
        @Nullable String generation,
        @Nullable Long version) {}
