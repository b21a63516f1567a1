package org.fleetgrad.pipeline.stage;

/** Whether a forward pass keeps what the backward pass needs. */
public enum Graph {
    KEPT,
    DROPPED
}
