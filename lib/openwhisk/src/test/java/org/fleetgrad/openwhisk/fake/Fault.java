package org.fleetgrad.openwhisk.fake;

/** What goes wrong with one invocation. */
public enum Fault {
    /** It is accepted and runs, and the connection breaks before the answer. */
    LOST_ANSWER,
    /** It is not accepted: 503. */
    UNAVAILABLE,
    /** It is accepted and runs, and a proxy answers 504 in the controller's place. */
    GATEWAY_TIMEOUT,
    /** It is accepted, and its container and record are lost. */
    LOST_ACTIVATION
}
