package org.fleetgrad.openwhisk;

import java.time.Duration;
import java.util.Optional;

/** The outcome of a non-blocking invocation. OpenWhisk does not repeat invocations. */
public sealed interface Invocation {

    /**
     * The controller accepted it: it will run once, as soon as there is room.
     *
     * @param activationId id to ask for its record
     */
    record Invoked(String activationId) implements Invocation {}

    /**
     * The controller did not accept it now, but may later.
     *
     * @param reason     the limit that was exceeded
     * @param retryAfter the pause that the controller asks for, if it does
     * @param message    the controller's words, with the numbers
     */
    record Throttled(Reason reason, Optional<Duration> retryAfter, String message) implements Invocation {}

    /**
     * The controller did not accept it and will not later: the key is wrong (401, 403), there is no such action (404),
     * the parameters are too large (413) or not allowed (400).
     *
     * @param status  the status of the answer
     * @param message the controller's words
     */
    record Refused(int status, String message) implements Invocation {}

    /**
     * Nobody knows whether the controller accepted it: the answer was lost, or a proxy's error came in its place. A
     * retry may make it run twice.
     *
     * @param message the failure, or the answer
     */
    record Uncertain(String message) implements Invocation {}

    /** The exceeded limit. */
    enum Reason {
        /** Invocations of the namespace in the current minute. */
        RATE,
        /** Activations of the namespace that have not ended. */
        CONCURRENCY,
        /** OpenWhisk has no room, or no invoker. */
        OVERLOAD
    }
}
