package org.fleetgrad.reports;

import static org.fleetgrad.reports.chart.Markup.format;

import java.util.List;
import java.util.Objects;
import org.fleetgrad.reports.chart.Svg;

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
        Svg svg = new Svg();
        for (int i = 0; i < workers.size(); i++) {
            svg.text("worker", "start", 0, i * ROW + 13, workers.get(i));
        }
        for (ActivationRow activation : activations) {
            svg.box(
                    kind(activation),
                    LEFT + (WIDTH - LEFT) * activation.started() / seconds,
                    workers.indexOf(activation.invoker()) * ROW + 2,
                    Math.max(1, (WIDTH - LEFT) * activation.duration() / seconds - 1),
                    ROW - 4,
                    told(activation));
        }
        return ScrolledPart.of(
                        svg.picture(WIDTH, workers.size() * ROW + 2, "activations of each worker over time"),
                        "chart of the activations")
                + "<p class=\"key\"><b class=\"cold\">cold</b>, <b class=\"warm\">warm</b>, <b class=\"killed\">killed or failed</b></p>";
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
