package org.fleetgrad.openwhisk;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.fleetgrad.openwhisk.Wire.WhiskResponse;
import tools.jackson.databind.JsonNode;

/**
 * The record of an activation that has ended. Immutable; the result must not be changed.
 *
 * @param activationId its id
 * @param name         the action's name
 * @param namespace    the namespace it ran in
 * @param start        time at which the run began
 * @param end          time at which it ended
 * @param duration     time of the run, including the initialization of its container, if there was one
 * @param waitTime     time it waited to run
 * @param initTime     time of the initialization of its container; present if and only if the start was cold
 * @param timeLimit    the action's time limit at that time
 * @param isTimeout    whether the time limit ended it
 * @param status       how it ended
 * @param result       its result: an object, a list, or nothing
 * @param logs         its output, each line as {@code TIME STREAM: LINE}
 */
public record ActivationRecord(
        String activationId,
        String name,
        String namespace,
        Instant start,
        Instant end,
        Duration duration,
        Optional<Duration> waitTime,
        Optional<Duration> initTime,
        Optional<Duration> timeLimit,
        boolean isTimeout,
        ActivationStatus status,
        JsonNode result,
        List<String> logs) {

    public ActivationRecord {
        logs = List.copyOf(logs);
    }

    /** Returns whether a container was started for the activation. */
    public boolean isCold() {
        return initTime.isPresent();
    }

    static ActivationRecord read(WhiskResponse answer) throws OpenWhiskException {
        Fields record = Fields.of(answer);
        Fields annotations = record.pairs("annotations");
        Fields response = record.object("response");
        long start = record.count("start");
        long end = record.optionalCount("end")
                .orElse(start + record.optionalCount("duration").orElse(0));
        return new ActivationRecord(
                record.text("activationId"),
                record.text("name"),
                record.text("namespace"),
                Instant.ofEpochMilli(start),
                Instant.ofEpochMilli(end),
                Duration.ofMillis(record.optionalCount("duration").orElse(Math.max(0, end - start))),
                millis(annotations.optionalCount("waitTime")),
                millis(annotations.optionalCount("initTime")),
                timeLimit(annotations),
                annotations.optionalFlag("timeout").orElse(false),
                status(response),
                response.node("result"),
                record.isThere("logs") ? record.texts("logs") : List.of());
    }

    private static Optional<Duration> timeLimit(Fields annotations) throws OpenWhiskException {
        return annotations.isThere("limits")
                ? millis(annotations.object("limits").optionalCount("timeout"))
                : Optional.empty();
    }

    private static ActivationStatus status(Fields response) throws OpenWhiskException {
        return ActivationStatus.of(response.text("status"))
                .orElseThrow(() -> response.wrong(
                        "status", "success, application error, action developer error or whisk internal error"));
    }

    private static Optional<Duration> millis(OptionalLong millis) {
        return millis.isPresent() ? Optional.of(Duration.ofMillis(millis.getAsLong())) : Optional.empty();
    }

    /** The status that a controller gives to an ended activation. */
    public enum ActivationStatus {
        /** The action returned a result. */
        SUCCESS("success"),
        /** The action returned an error; its container stays warm. */
        APPLICATION_ERROR("application error"),
        /** The action exceeded its time or memory, died, or returned an invalid response; its container is destroyed. */
        DEVELOPER_ERROR("action developer error"),
        /** OpenWhisk itself failed. */
        WHISK_ERROR("whisk internal error");

        private final String word;

        ActivationStatus(String word) {
            this.word = word;
        }

        /** Returns the text that records contain. */
        public String word() {
            return word;
        }

        static Optional<ActivationStatus> of(String word) {
            return Arrays.stream(values())
                    .filter(status -> status.word.equals(word))
                    .findFirst();
        }
    }
}
