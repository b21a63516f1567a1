package org.fleetgrad.openwhisk;

/**
 * What a namespace may do.
 *
 * @param invocationsPerMinute  invocations that are accepted in a minute
 * @param concurrentInvocations activations that may be waiting or running
 * @param isStoringActivations  whether records of activations are kept; where they are not, none can be waited for
 */
public record NamespaceLimits(int invocationsPerMinute, int concurrentInvocations, boolean isStoringActivations) {

    static NamespaceLimits read(Answer answer) throws OpenWhiskException {
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
