package org.fleetgrad.client;

import java.io.IOException;
import java.util.Optional;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemRules;
import org.fleetgrad.protocol.messages.ParameterMessages.PushReply;
import org.fleetgrad.protocol.messages.Problem;

/** Reads the responses of pushes. */
final class PushAnswers {

    private final Json json;
    private final PulledAnswers pulled;

    PushAnswers(Json json, PulledAnswers pulled) {
        this.json = json;
        this.pulled = pulled;
    }

    /** Reads the response to a push that the server accepted: the new parameters, or a message. */
    PushResult taken(CallResponse answer) throws IOException {
        Transport.Response response = answer.response();
        if (response.header("Content-Type").orElse("").startsWith(HeaderNames.SAFETENSORS)) {
            Pulled newest = pulled.read(answer);
            long version = number(answer, HeaderNames.VERSION);
            return switch (response.header(HeaderNames.OUTCOME).orElse("")) {
                case "applied" ->
                    new PushResult.Applied(version, number(answer, HeaderNames.STALENESS), false, Optional.of(newest));
                case "duplicate" -> new PushResult.Duplicate("applied", version, false, Optional.of(newest));
                default ->
                    throw new IOException("%s answered the unknown outcome '%s'"
                            .formatted(
                                    answer.call(),
                                    response.header(HeaderNames.OUTCOME).orElse("")));
            };
        }
        PushReply reply = json.read(answer, PushReply.class);
        return switch (reply.outcome()) {
            case "applied" ->
                new PushResult.Applied(reply.version(), reply.staleness(), reply.awaitNext(), Optional.empty());
            case "buffered" -> new PushResult.Buffered(reply.version(), reply.awaitNext());
            case "staged", "dropped", "open" -> new PushResult.Undecided(reply.outcome());
            case "duplicate" ->
                new PushResult.Duplicate(
                        Optional.ofNullable(reply.first()).orElse(""),
                        reply.version(),
                        reply.awaitNext(),
                        Optional.empty());
            default ->
                throw new IOException("%s answered the unknown outcome '%s'".formatted(answer.call(), reply.outcome()));
        };
    }

    /** Reads the response to a push that the server did not accept. */
    static PushResult conflict(Problem problem) {
        return switch (problem.rule()) {
            case ProblemRules.UNKNOWN_WORKER -> new PushResult.UnknownWorker(problem);
            case ProblemRules.NO_PARAMETERS -> new PushResult.NotInitialized(problem);
            default -> new PushResult.Stale(problem);
        };
    }

    private static long number(CallResponse answer, String header) throws IOException {
        String value = answer.response().header(header).orElse("");
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException notANumber) {
            throw new IOException(
                    "%s answered '%s' for the header %s".formatted(answer.call(), value, header), notANumber);
        }
    }
}
