package org.fleetgrad.ps.settings;

import java.util.OptionalLong;

/**
 * Maximum bytes of gradients in the server at once. By default derived from the parameter set: four gradients, but no more
 * than a quarter of the heap, which leaves memory for the parameters and the optimizer. Small gradients may take 256 MB, but
 * no more than a third of the heap.
 *
 * @param stated the configured number, if there is one
 */
public record PendingLimit(OptionalLong stated) {

    private static final long MINIMUM = 256L << 20;
    private static final int GRADIENTS = 4;

    /** Returns the limit for a parameter set of so many bytes. */
    public long of(long parameterBytes) {
        return of(parameterBytes, Runtime.getRuntime().maxMemory());
    }

    long of(long parameterBytes, long heapBytes) {
        return stated.orElseGet(
                () -> Math.max(Math.min(MINIMUM, heapBytes / 3), Math.min(GRADIENTS * parameterBytes, heapBytes / 4)));
    }
}
