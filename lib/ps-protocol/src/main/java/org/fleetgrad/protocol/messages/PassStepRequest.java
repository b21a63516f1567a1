package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * Says that a worker has no gradient for the step from a version, and is not to be waited for.
 *
 * @param worker     the registered worker
 * @param generation history that the version counts in
 * @param version    the version that the step would be made from
 */
public record PassStepRequest(
        @Nullable String worker,
        @Nullable String generation,
        @Nullable Long version) {}
