package org.fleetgrad.cli.serving;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.Printable;
import tools.jackson.databind.JsonNode;

/** Shows the response of {@code /predict} to a person. */
final class PredictionText {

    private PredictionText() {}

    /** Returns a line for each prediction, the categories that the training did not have, and the version. */
    static String of(JsonNode answer) {
        List<String> lines = new ArrayList<>();
        JsonNode predictions = answer.path("predictions");
        for (int i = 0; i < predictions.size(); i++) {
            lines.add((predictions.size() == 1 ? "" : i + ": ") + prediction(predictions.get(i)));
        }
        for (JsonNode unknown : answer.path("unknown")) {
            lines.add("row %d: the training had no '%s' in the column %s; it counts as missing"
                    .formatted(
                            unknown.path("row").asLong(),
                            Printable.text(unknown.path("value").asString("")),
                            Printable.text(unknown.path("column").asString(""))));
        }
        lines.add(version(answer));
        return String.join(System.lineSeparator(), lines);
    }

    private static String prediction(JsonNode prediction) {
        if (prediction.has("value")) {
            String target = prediction.path("target").asString("");
            return (target.isEmpty() ? "" : Printable.text(target) + " ")
                    + prediction.path("value").asString();
        }
        if (prediction.has("labels")) {
            return labels(prediction.path("labels"));
        }
        JsonNode probabilities = prediction.path("probabilities");
        return "%s (%s)"
                .formatted(
                        Printable.text(prediction.path("label").asString("")),
                        percent(probabilities
                                .path(prediction.path("class").asInt(0))
                                .asDouble(Double.NaN)));
    }

    private static String labels(JsonNode labels) {
        return labels.properties().stream()
                .map(label -> "%s %s (%s)"
                        .formatted(
                                Printable.text(label.getKey()),
                                label.getValue().path("yes").asBoolean(false) ? "yes" : "no",
                                percent(label.getValue().path("probability").asDouble(Double.NaN))))
                .collect(Collectors.joining(", "));
    }

    private static String version(JsonNode answer) {
        String own = answer.path("versionAccuracy").isNumber()
                ? ", held-out accuracy "
                        + percent(answer.path("versionAccuracy").asDouble())
                : "";
        return String.format(
                Locale.ROOT,
                "version %,d of generation %s%s",
                answer.path("version").asLong(),
                Printable.text(answer.path("generation").asString("")),
                own);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f%%", 100 * share);
    }
}
