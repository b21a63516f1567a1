package org.fleetgrad.client;

import java.io.IOException;
import java.util.List;

/** Calls several servers in parallel. */
interface ParallelCalls {

    /** A call to the {@code index}-th server. */
    @FunctionalInterface
    interface Call<T> {
        T of(int index) throws IOException;
    }

    /**
     * Makes the calls from {@code begin} (inclusive) to {@code end} (exclusive). Returns when all have ended; if any
     * failed, fails with the first failure.
     */
    <T> List<T> each(int begin, int end, Call<T> call) throws IOException;
}
