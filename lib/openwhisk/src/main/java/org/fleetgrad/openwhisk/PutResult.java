package org.fleetgrad.openwhisk;

/** What became of an action to store. */
public sealed interface PutResult {

    /**
     * It is stored, new or in the place of the one that was there.
     *
     * @param action as it is stored
     */
    record Stored(Action action) implements PutResult {}

    /**
     * Somebody else stored it at the same moment; storing it again decides.
     *
     * @param message the controller's words
     */
    record Conflict(String message) implements PutResult {}

    /**
     * The controller does not take it: the key is wrong (401, 403), a limit is outside of its operator's bounds or the image
     * is not allowed (400, 403), the parameters are too large (413).
     *
     * @param status  the answer's status
     * @param message the controller's words
     */
    record Refused(int status, String message) implements PutResult {}
}
