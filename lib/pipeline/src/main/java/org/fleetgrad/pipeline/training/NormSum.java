package org.fleetgrad.pipeline.training;

import java.io.IOException;

/**
 * Adds up what all stages contribute to the norm of one step's gradient. Clipping by the global norm therefore makes the
 * stages wait for each other at every step.
 */
public interface NormSum {

    /**
     * Waits until all stages have contributed to their next step, and returns the sum over them, the same to all: in the
     * order of the stages, so that its bits never depend on who came first.
     *
     * @param squares sum of the squares of this stage's gradient
     * @throws IOException if another stage failed
     */
    double add(int stage, double squares) throws IOException, InterruptedException;

    /** Makes everybody who waits, or comes later, fail with this cause. */
    void fail(Throwable cause);
}
