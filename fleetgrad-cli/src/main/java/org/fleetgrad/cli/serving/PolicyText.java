package org.fleetgrad.cli.serving;

import java.util.Locale;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.runs.output.Figures;
import tools.jackson.databind.JsonNode;

/** Shows the response of {@code /policy} to a person. */
final class PolicyText {

    private PolicyText() {}

    /** Returns the policy, and a line for each held version, the one that answers with an arrow. */
    static String of(JsonNode answer) {
        StringBuilder text = new StringBuilder("policy ")
                .append(Printable.text(answer.path("policy").asString("")))
                .append("; ");
        boolean isAnswering = answer.path("version").isIntegralNumber();
        text.append(
                isAnswering
                        ? String.format(
                                Locale.ROOT,
                                "version %,d answers",
                                answer.path("version").asLong())
                        : "no version answers yet");
        JsonNode held = answer.path("held");
        if (!held.isEmpty()) {
            text.append(System.lineSeparator()).append("     VERSION  GENERATION  ACCURACY      LOSS  LIVE ACCURACY");
        }
        for (JsonNode version : held) {
            boolean isTheOne = isAnswering
                    && version.path("version").equals(answer.path("version"))
                    && version.path("generation").equals(answer.path("generation"));
            text.append(System.lineSeparator())
                    .append(String.format(
                            Locale.ROOT,
                            "%2s%,10d  %-10s  %8s  %8s  %s",
                            isTheOne ? "->" : "",
                            version.path("version").asLong(),
                            Printable.text(version.path("generation").asString("")),
                            percent(version.path("accuracy")),
                            version.path("loss").isNumber()
                                    ? String.format(
                                            Locale.ROOT,
                                            "%.4f",
                                            version.path("loss").asDouble())
                                    : "-",
                            live(version.path("live"))));
        }
        return text.toString();
    }

    private static String live(JsonNode live) {
        return live.path("samples").asLong(0) == 0
                ? "-"
                : String.format(
                        Locale.ROOT,
                        "%s of %,d labels",
                        percent(live.path("accuracy")),
                        live.path("samples").asLong());
    }

    private static String percent(JsonNode share) {
        return Figures.percent(share.isNumber() ? (Double) share.asDouble() : null);
    }
}
