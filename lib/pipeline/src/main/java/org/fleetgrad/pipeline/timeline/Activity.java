package org.fleetgrad.pipeline.timeline;

/** What a stage spends its time on; everything else is a bubble. */
public enum Activity {
    FORWARD,
    /** With the forward pass before it, if that is computed again. */
    BACKWARD,
    /** The step of the optimizer, with the cures that belong to it. */
    STEP
}
