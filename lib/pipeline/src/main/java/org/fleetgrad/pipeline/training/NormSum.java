package org.fleetgrad.pipeline.training;

import java.io.IOException;

/**
 * Adds up the contributions of all stages to the global norm of one step's gradient. Clipping by the global norm therefore
 * makes the stages wait for each other at every step.
 */
public interface NormSum {

    /**
     * Waits until all stages have contributed to their next step, and returns the sum over them, the same for all. It adds
     * in the order of the stages, so that the bits do not depend on the order of the calls.
     *
     * @param squares sum of the squares of this stage's gradient
     * @throws IOException if another stage failed
     */
    double add(int stage, double squares) throws IOException, InterruptedException;

    /** Makes all pending and later calls fail with this cause. */
    void fail(Throwable cause);
}
