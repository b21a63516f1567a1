package org.fleetgrad.openwhisk;

import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.files.text.Printable;
import tools.jackson.databind.JsonNode;

/** How an activation ended, according to its record. */
public sealed interface ActivationEnd {

    /**
     * The action succeeded.
     *
     * @param result its result
     */
    record Success(JsonNode result) implements ActivationEnd {}

    /**
     * The action returned an error; its container stays warm.
     *
     * @param error   the member {@code error} of its response
     * @param message the error as text
     */
    record ApplicationError(JsonNode error, String message) implements ActivationEnd {}

    /**
     * OpenWhisk killed the activation at its time limit.
     *
     * @param limit   the time limit, if the record has it
     * @param isInit  whether the limit was reached during the initialization of the container
     * @param message OpenWhisk's message
     */
    record TimeLimitExceeded(Optional<Duration> limit, boolean isInit, String message) implements ActivationEnd {}

    /**
     * The container died during the activation.
     *
     * @param isMemory whether the container was certainly killed for its memory; if false, it may still have been,
     *     because not every OpenWhisk detects it
     * @param message  OpenWhisk's message
     */
    record ContainerDied(boolean isMemory, String message) implements ActivationEnd {}

    /**
     * The action did not start, or its response is invalid: the image, or the action in it, is broken.
     *
     * @param message the message of the action or of OpenWhisk
     */
    record BrokenAction(String message) implements ActivationEnd {}

    /**
     * OpenWhisk itself failed.
     *
     * @param message its message
     */
    record PlatformError(String message) implements ActivationEnd {}

    /** Reads the end from a record. */
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
