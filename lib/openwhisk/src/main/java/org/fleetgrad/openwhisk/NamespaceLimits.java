package org.fleetgrad.openwhisk;

import org.fleetgrad.openwhisk.Wire.WhiskResponse;

/**
 * The limits of a namespace.
 *
 * @param invocationsPerMinute  most invocations in a minute
 * @param concurrentInvocations most activations waiting or running
 * @param isStoringActivations  whether OpenWhisk stores records of activations; without records a client cannot wait
 *     for an activation
 */
public record NamespaceLimits(int invocationsPerMinute, int concurrentInvocations, boolean isStoringActivations) {

    static NamespaceLimits read(WhiskResponse answer) throws OpenWhiskException {
        Fields limits = Fields.of(answer);
        return new NamespaceLimits(
                bounded(limits.count("invocationsPerMinute")),
                bounded(limits.count("concurrentInvocations")),
                limits.optionalFlag("storeActivations").orElse(true));
    }

    private static int bounded(long count) {
        return (int) Math.min(count, Integer.MAX_VALUE);
    }
}
