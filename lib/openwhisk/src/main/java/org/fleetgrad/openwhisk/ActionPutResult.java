package org.fleetgrad.openwhisk;

/** The outcome of storing an action. The messages are the controller's. */
public sealed interface ActionPutResult {

    /** The action is stored; it is new or replaced another one. */
    record Stored(Action action) implements ActionPutResult {}

    /** Another client stored the action at the same moment; storing it again resolves the conflict. */
    record Conflict(String message) implements ActionPutResult {}

    /**
     * The controller refused the action: the key is wrong (401, 403), a limit is outside the operator's bounds or the
     * image is not allowed (400, 403), the parameters are too large (413).
     */
    record Refused(int status, String message) implements ActionPutResult {}
}
