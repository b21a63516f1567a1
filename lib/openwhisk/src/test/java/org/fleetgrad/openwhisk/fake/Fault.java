package org.fleetgrad.openwhisk.fake;

/** A fault of one invocation. */
public enum Fault {
    /** The invocation is accepted and runs, but the connection breaks before the response. */
    LOST_ANSWER,
    /** The invocation is refused with 503. */
    UNAVAILABLE,
    /** The invocation is accepted and runs, but a proxy answers 504 instead of the controller. */
    GATEWAY_TIMEOUT,
    /** The invocation is accepted, but its container and record are lost. */
    LOST_ACTIVATION
}
