package org.fleetgrad.openwhisk;

import java.time.Duration;
import java.util.Optional;

/** The outcome of a non-blocking invocation. OpenWhisk does not repeat invocations. The messages are the controller's. */
public sealed interface Invocation {

    /**
     * The controller accepted it: it will run once, as soon as it fits.
     *
     * @param activationId id to request its record with
     */
    record Invoked(String activationId) implements Invocation {}

    /**
     * The controller did not accept it now, but may later.
     *
     * @param reason     the limit that was exceeded
     * @param retryAfter the pause that the controller requests, if it does
     */
    record Throttled(Reason reason, Optional<Duration> retryAfter, String message) implements Invocation {}

    /**
     * The controller did not accept it and will not later: the key is wrong (401, 403), there is no such action (404),
     * the parameters are too large (413) or not allowed (400).
     */
    record Refused(int status, String message) implements Invocation {}

    /**
     * It is unknown whether the controller accepted it: the response was lost, or replaced by a proxy's error. A retry
     * may make it run twice. The message is the failure, or the response.
     */
    record Uncertain(String message) implements Invocation {}

    /** The exceeded limit. */
    enum Reason {
        /** Invocations of the namespace in the current minute. */
        RATE,
        /** Activations of the namespace that have not ended. */
        CONCURRENCY,
        /** OpenWhisk has no capacity, or no invoker. */
        OVERLOAD
    }
}
