package org.fleetgrad.pipeline.frame;

/** Which way a frame goes. */
public enum Direction {
    /** Activations, from a stage to the one after it. */
    FORWARD,
    /** Gradients of the loss by these activations, from a stage to the one before it. */
    BACKWARD
}
