package org.fleetgrad.openwhisk;

import java.time.Duration;
import java.util.Optional;

/** What became of an invocation that does not wait. OpenWhisk repeats none by itself. */
public sealed interface Invocation {

    /**
     * It was accepted: it will run, once, as soon as there is room.
     *
     * @param activationId asks for it
     */
    record Invoked(String activationId) implements Invocation {}

    /**
     * It was not accepted, and may be later.
     *
     * @param reason     which limit it is
     * @param retryAfter the pause that the controller asks for, where it does
     * @param message    the controller's words, with the numbers
     */
    record Throttled(Reason reason, Optional<Duration> retryAfter, String message) implements Invocation {}

    /**
     * It was not accepted, and would not be later: the key is wrong (401, 403), there is no such action (404), the
     * parameters are too large (413) or not allowed (400).
     *
     * @param status  the answer's status
     * @param message the controller's words
     */
    record Refused(int status, String message) implements Invocation {}

    /**
     * It may have been accepted or not: the answer was lost, or a proxy's error came in its place. Whoever invokes again may
     * have it run twice.
     *
     * @param message what came
     */
    record Uncertain(String message) implements Invocation {}

    /** The limit that an invocation is over. */
    enum Reason {
        /** Invocations of the namespace in this minute. */
        RATE,
        /** Activations of the namespace that are not over. */
        CONCURRENCY,
        /** OpenWhisk has no room, or no invoker. */
        OVERLOAD
    }
}
