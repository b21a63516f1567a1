package org.fleetgrad.openwhisk;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/**
 * What is stored of an activation when it is over. Immutable; the result is not to be changed.
 *
 * @param activationId its id
 * @param name         the action's name
 * @param namespace    the namespace it ran in
 * @param start        when it began to run
 * @param end          when it ended
 * @param duration     how long it ran, with the initialization of its container where there was one
 * @param waitTime     how long it waited to run
 * @param initTime     how long the initialization of its container took; present if and only if the start was cold
 * @param timeLimit    the action's time limit then
 * @param isTimeout    whether it was ended for its time limit
 * @param status       how it ended
 * @param result       what it answered: an object, a list, or nothing
 * @param logs         what it printed, each line as {@code TIME STREAM: LINE}
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

    /** Keeps the logs as they are. */
    public ActivationRecord {
        logs = List.copyOf(logs);
    }

    /** Tells whether a container was started for it. */
    public boolean isCold() {
        return initTime.isPresent();
    }

    static ActivationRecord read(Answer answer) throws OpenWhiskException {
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
}
