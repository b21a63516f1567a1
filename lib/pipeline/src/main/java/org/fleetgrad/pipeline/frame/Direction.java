package org.fleetgrad.pipeline.frame;

/** The direction of a frame. */
public enum Direction {
    /** Activations, from a stage to the one after it. */
    FORWARD,
    /** Gradients of the loss with respect to these activations, from a stage to the one before it. */
    BACKWARD
}
