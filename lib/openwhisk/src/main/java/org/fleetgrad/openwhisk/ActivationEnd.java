package org.fleetgrad.openwhisk;

import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.files.text.Printable;
import tools.jackson.databind.JsonNode;

/** How an activation ended, as far as its record tells. */
public sealed interface ActivationEnd {

    /**
     * It did its work.
     *
     * @param result what it answered
     */
    record Success(JsonNode result) implements ActivationEnd {}

    /**
     * It answered with an error of its own, and its container stays warm.
     *
     * @param error   what it answered as {@code error}
     * @param message the same as text
     */
    record ApplicationError(JsonNode error, String message) implements ActivationEnd {}

    /**
     * It was killed when its time was over.
     *
     * @param limit   the time it had, where the record says
     * @param isInit  whether the time was over while its container was being initialized
     * @param message OpenWhisk's words
     */
    record TimeLimitExceeded(Optional<Duration> limit, boolean isInit, String message) implements ActivationEnd {}

    /**
     * Its container died under it.
     *
     * @param isMemory whether it is known to have been killed for its memory; where it is not, it may have been: not every
     *     OpenWhisk finds out
     * @param message  OpenWhisk's words
     */
    record ContainerDied(boolean isMemory, String message) implements ActivationEnd {}

    /**
     * It did not start, or did not answer as an action must: the image, or the action in it, is wrong.
     *
     * @param message the action's words or OpenWhisk's
     */
    record BrokenAction(String message) implements ActivationEnd {}

    /**
     * OpenWhisk itself failed.
     *
     * @param message its words
     */
    record PlatformError(String message) implements ActivationEnd {}

    /** Reads it from a record. */
    static ActivationEnd of(ActivationRecord record) {
        JsonNode error = record.result().path("error");
        String message = Printable.text(
                error.isMissingNode()
                        ? "no reason is given"
                        : error.isString() ? error.stringValue() : error.toString());
        return switch (record.status()) {
            case SUCCESS -> new Success(record.result());
            case APPLICATION_ERROR -> new ApplicationError(error, message);
            case DEVELOPER_ERROR -> DeveloperError.end(record, message);
            case WHISK_ERROR -> new PlatformError(message);
        };
    }
}
