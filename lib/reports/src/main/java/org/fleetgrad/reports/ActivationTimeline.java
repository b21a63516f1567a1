package org.fleetgrad.reports;

import static org.fleetgrad.reports.Html.format;
import static org.fleetgrad.reports.Html.text;

import java.util.List;
import java.util.Objects;

/** Draws each worker's activations over time. */
final class ActivationTimeline {

    private static final int WIDTH = 900;
    private static final int LEFT = 76;
    private static final int ROW = 18;

    private ActivationTimeline() {}

    static String draw(List<ActivationRow> activations) {
        List<String> workers =
                activations.stream().map(ActivationRow::invoker).distinct().toList();
        double seconds = activations.stream()
                .mapToDouble(activation -> activation.started() + activation.duration())
                .max()
                .orElse(1);
        StringBuilder bars = new StringBuilder();
        for (int i = 0; i < workers.size(); i++) {
            bars.append(format("<text x=\"0\" y=\"%d\">%s</text>", i * ROW + 13, text(workers.get(i))));
        }
        for (ActivationRow activation : activations) {
            double begin = LEFT + (WIDTH - LEFT) * activation.started() / seconds;
            double width = Math.max(1, (WIDTH - LEFT) * activation.duration() / seconds - 1);
            bars.append(format(
                    "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>%s</title></rect>",
                    kind(activation),
                    begin,
                    workers.indexOf(activation.invoker()) * ROW + 2,
                    width,
                    ROW - 4,
                    text(told(activation))));
        }
        return format(
                        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"activations of each worker over time\">",
                        WIDTH, workers.size() * ROW + 2)
                + bars
                + "</svg><p class=\"key\"><b class=\"cold\">cold</b>, <b class=\"warm\">warm</b>, <b class=\"killed\">killed or failed</b></p>";
    }

    private static String kind(ActivationRow activation) {
        if (!activation.end().equals(ActivationRow.ANSWERED)) {
            return "killed";
        }
        return activation.cold() ? "cold" : "warm";
    }

    private static String told(ActivationRow activation) {
        return format(
                "%s, from %.1f s for %.1f s: %s",
                activation.invoker(),
                activation.started(),
                activation.duration(),
                Objects.requireNonNullElse(activation.why(), activation.end()));
    }
}
