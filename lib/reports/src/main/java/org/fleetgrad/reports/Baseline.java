package org.fleetgrad.reports;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The same training on one machine, to compare a run with.
 *
 * @param accuracy         held-out accuracy of its model; absent where numbers or labels are predicted
 * @param heldOutLoss      held-out loss of its model, if it was reported
 * @param seconds          from its first activation to the end of training
 * @param secondsToTarget  to the first held-out accuracy at the target; absent if never
 * @param samples          training samples
 * @param samplesPerSecond samples over seconds
 * @param tokensPerSecond  tokens over seconds, of a text; absent for images
 * @param workers          worker processes
 * @param cost             of the machine; absent without a price
 * @param reportPath       its report
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Baseline(
        @Nullable Double accuracy,
        @Nullable Double heldOutLoss,
        double seconds,
        @Nullable Double secondsToTarget,
        long samples,
        double samplesPerSecond,
        @Nullable Double tokensPerSecond,
        int workers,
        @Nullable Double cost,
        String reportPath) {

    private static final String ONE_MACHINE = "local";

    /**
     * Reads the report of a run.
     *
     * @param folder of that run
     * @throws IllegalArgumentException when there is none, or it is not of a run on one machine, on this dataset and to this
     *     target; the message says which of these
     */
    public static Baseline read(Path folder, String dataset, RunTarget target, Prices prices) {
        Path path = folder.resolve("report.json");
        JsonNode report;
        try {
            report = JsonMapper.builder().build().readTree(Files.readString(path));
        } catch (IOException | JacksonException unreadable) {
            throw new IllegalArgumentException(
                    "%s is not a run's report: %s".formatted(path, unreadable.getMessage()), unreadable);
        }
        JsonNode result = report.path("result");
        String invoker = report.path("settings").path("invoker").asString("unknown");
        if (!invoker.equals(ONE_MACHINE)) {
            throw new IllegalArgumentException(
                    "%s is of a run whose workers were of invoker %s; a baseline is of one machine: %s"
                            .formatted(path, invoker, ONE_MACHINE));
        }
        require(path, "dataset", dataset, result.path("dataset").asString("unknown"));
        require(path, "target", target.toString(), target(result).toString());
        double seconds = result.path("seconds").asDouble();
        return new Baseline(
                optional(result, "accuracy"),
                optional(result, "heldOutLoss"),
                seconds,
                optional(result, "secondsToTarget"),
                result.path("samples").asLong(),
                result.path("samplesPerSecond").asDouble(),
                optional(result, "tokensPerSecond"),
                result.path("workers").asInt(),
                prices.ofMachine(seconds),
                path.toString());
    }

    private static @Nullable Double optional(JsonNode result, String member) {
        return result.has(member) ? (Double) result.path(member).asDouble() : null;
    }

    private static RunTarget target(JsonNode result) {
        return RunTarget.of(
                optional(result, "targetAccuracy"),
                optional(result, "targetLoss"),
                optional(result, "targetR2"),
                optional(result, "targetMicroF1"));
    }

    private static void require(Path path, String what, Object wanted, Object found) {
        if (!wanted.equals(found)) {
            throw new IllegalArgumentException("%s is not a baseline of this run: its %s is %s, this run's %s"
                    .formatted(path, what, found, wanted));
        }
    }
}
