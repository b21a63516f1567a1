package org.fleetgrad.runs.kept;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.files.text.Printable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Takes from a result, of a report or of a pipeline, the figures that say how a run went: each one number, text or truth value. */
final class ResultFigures {

    private static final List<String> NAMES = List.of(
            "accuracy",
            "accuracyTop5",
            "heldOutLoss",
            "perplexity",
            "bitsPerCharacter",
            "r2",
            "rmse",
            "mae",
            "auc",
            "f1",
            "microF1",
            "version",
            "steps",
            "samples",
            "seconds",
            "secondsToTarget",
            "samplesPerSecond",
            "tokensPerSecond",
            "workers",
            "stages",
            "worstStaleness",
            "reachedTarget",
            "targetLoss",
            "activations",
            "coldStarts",
            "killed",
            "gbSeconds",
            "peakMemoryMiB",
            "samplesLost",
            "samplesDoubled",
            "bubble",
            "flushes",
            "cost",
            "currency",
            "tensorsSha256",
            "modelPath",
            "pagePath");

    private ResultFigures() {}

    /** Returns the figures that a result has. */
    static Map<String, Object> of(JsonNode result) {
        Map<String, Object> figures = new LinkedHashMap<>();
        for (String name : NAMES) {
            figure(result, name).ifPresent(value -> figures.put(name, value));
        }
        return figures;
    }

    private static Optional<Object> figure(JsonNode result, String name) {
        JsonNode value = result.path(name);
        if (value.isMissingNode()) {
            // A pipeline has its errors, and both have those of labels, in an object of their own.
            value = switch (name) {
                case "r2", "rmse", "mae" -> result.path("regression").path(name);
                case "microF1" -> result.path("labels").path(name);
                default -> value;
            };
        }
        if (value.isBoolean()) {
            return Optional.of(value.asBoolean());
        }
        if (value.isIntegralNumber() && value.canConvertToLong()) {
            return Optional.of(value.asLong());
        }
        if (value.isNumber()) {
            double number = value.asDouble();
            return Double.isFinite(number) ? Optional.of(number) : Optional.empty();
        }
        return value.isString() ? Optional.of(Printable.text(value.asString())) : Optional.empty();
    }

    /** Returns the held-out result by which a run is compared; empty if it has none. */
    static Optional<Measure> measure(Map<String, Object> figures) {
        long version = figures.get("version") instanceof Long known ? known : -1;
        if (figures.containsKey("targetLoss") || figures.containsKey("perplexity")) {
            return measure(MeasureKind.LOSS, figures.get("heldOutLoss"), version);
        }
        if (figures.containsKey("rmse")) {
            return measure(MeasureKind.R2, figures.get("r2"), version);
        }
        return figures.containsKey("microF1")
                ? measure(MeasureKind.MICRO_F1, figures.get("microF1"), version)
                : measure(MeasureKind.ACCURACY, figures.get("accuracy"), version);
    }

    private static Optional<Measure> measure(MeasureKind kind, @Nullable Object value, long version) {
        return value instanceof Number number
                ? Optional.of(new Measure(kind, number.doubleValue(), version))
                : Optional.empty();
    }
}
