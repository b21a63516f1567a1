package org.fleetgrad.openwhisk;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.files.text.Printable;
import tools.jackson.databind.JsonNode;

/** How an activation ended, according to its record. The messages are OpenWhisk's, or the action's own. */
public sealed interface ActivationEnd {

    /** The action succeeded, with this result. */
    record Success(JsonNode result) implements ActivationEnd {}

    /**
     * The action returned an error; its container stays warm.
     *
     * @param error the member {@code error} of its response; the message is its text
     */
    record ApplicationError(JsonNode error, String message) implements ActivationEnd {}

    /**
     * OpenWhisk killed the activation at its time limit.
     *
     * @param limit  the time limit, if the record has it
     * @param isInit whether the limit was reached during the initialization of the container
     */
    record TimeLimitExceeded(Optional<Duration> limit, boolean isInit, String message) implements ActivationEnd {}

    /**
     * The container died during the activation.
     *
     * @param isMemory whether the container was certainly killed for its memory; if false, it may still have been,
     *     because not every OpenWhisk detects it
     */
    record ContainerDied(boolean isMemory, String message) implements ActivationEnd {}

    /** The action did not start, or its response is invalid: the image, or the action in it, is broken. */
    record BrokenAction(String message) implements ActivationEnd {}

    /** OpenWhisk itself failed. */
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

    /** Distinguishes the causes that records call "action developer error", by an annotation and by OpenWhisk's message. */
    static final class DeveloperError {

        private static final Pattern TIME_LIMIT = Pattern.compile(
                "The action exceeded its time limits of (\\d{1,15}) milliseconds(?:\\.|( during initialization\\.?))");
        private static final String MEMORY_EXHAUSTED = "The action exhausted its memory and was aborted.";
        private static final Pattern DIED =
                Pattern.compile("The action did not (initialize|produce a valid response) and exited unexpectedly\\.");

        private DeveloperError() {}

        static ActivationEnd end(ActivationRecord record, String message) {
            Matcher timeLimit = TIME_LIMIT.matcher(message);
            boolean isStated = timeLimit.matches();
            if (isStated || record.isTimeout()) {
                Optional<Duration> limit = isStated
                        ? Optional.of(Duration.ofMillis(Long.parseLong(timeLimit.group(1))))
                        : record.timeLimit();
                return new ActivationEnd.TimeLimitExceeded(limit, isStated && timeLimit.group(2) != null, message);
            }
            if (message.equals(MEMORY_EXHAUSTED)) {
                return new ActivationEnd.ContainerDied(true, message);
            }
            return DIED.matcher(message).matches()
                    ? new ActivationEnd.ContainerDied(false, message)
                    : new ActivationEnd.BrokenAction(message);
        }
    }
}
