package org.fleetgrad.ps.settings;

import java.util.OptionalLong;

/**
 * Most bytes of gradients in the server at once. By default it follows from the parameter set: four gradients, but
 * no more than a quarter of the heap, so that the parameters and the optimizer keep their room. Small gradients may take
 * 256 MB, but no more than a third of the heap.
 *
 * @param stated the user's number, if there is one
 */
public record PendingLimit(OptionalLong stated) {

    private static final long LEAST = 256L << 20;
    private static final int GRADIENTS = 4;

    /** Returns the limit for a parameter set of so many bytes. */
    public long of(long parameterBytes) {
        return of(parameterBytes, Runtime.getRuntime().maxMemory());
    }

    long of(long parameterBytes, long heapBytes) {
        return stated.orElseGet(
                () -> Math.max(Math.min(LEAST, heapBytes / 3), Math.min(GRADIENTS * parameterBytes, heapBytes / 4)));
    }
}
