package org.fleetgrad.pipeline.timeline;

/** What a stage spends its time on; everything else is a bubble. */
public enum Activity {
    FORWARD,
    /** Includes the recomputed forward pass, if there is one. */
    BACKWARD,
    /** The step of the optimizer, with the cures that belong to it. */
    STEP
}
