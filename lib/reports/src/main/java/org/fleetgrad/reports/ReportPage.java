package org.fleetgrad.reports;

import static org.fleetgrad.reports.chart.Markup.format;
import static org.fleetgrad.reports.chart.Markup.text;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.fleetgrad.protocol.NetworkTitle;
import org.jspecify.annotations.Nullable;

/** Writes a run's report as a self-contained HTML page. */
public final class ReportPage {

    /** The page shows no more rows; all are in {@code report.json}. */
    private static final int MOST_ROWS = 2_000;

    private static final String STYLE = """
            :root { color-scheme: light dark; --line: #8884; --held-out: #2a7de1; --loss: #d9822b; --killed: #d33; --warm: #58a65c; --cold: #7a6ff0; }
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 960px; margin: 2em auto; padding: 0 1em; }
            h1 { font-size: 1.5em; overflow-wrap: anywhere; } h2 { font-size: 1.1em; margin-top: 2em; }
            table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
            th { text-align: left; font-weight: 500; } td, th { padding: .15em .9em .15em 0; border-bottom: 1px solid var(--line); }
            td { text-align: right; } .wide { overflow-x: auto; }
            .key { font-size: .9em; opacity: .8; } code { font-size: .95em; }
            svg { width: 100%; height: auto; } .wide > svg { min-width: 620px; } svg text { font-size: 11px; fill: currentColor; opacity: .7; }
            polyline { fill: none; stroke-width: 2; } polyline.held-out { stroke: var(--held-out); } polyline.loss { stroke: var(--loss); }
            polyline.workers { stroke: currentColor; opacity: .4; } .grid { stroke: var(--line); } .target { stroke: var(--held-out); stroke-dasharray: 5 4; }
            b.held-out { color: var(--held-out); } b.loss { color: var(--loss); } b.cold { color: var(--cold); } b.warm { color: var(--warm); } b.killed { color: var(--killed); }
            caption { text-align: left; font-size: .9em; opacity: .8; padding: .4em 0; } th[scope=col] + th[scope=col]:not(.upright) { text-align: right; }
            caption span { display: inline-block; position: sticky; left: 0; max-width: calc(100vw - 2em); } h3 { font-size: 1em; } .plot svg { max-width: 26em; }
            .confusion th, .confusion td { padding: .15em .5em; } .confusion th:first-child { position: sticky; left: 0; background: Canvas; }
            .confusion th[scope=row], .wide th[scope=row] { min-width: 5em; max-width: 12em; overflow-wrap: anywhere; }
            .upright { vertical-align: bottom; } .upright span { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 10em; overflow: hidden; }
            .none { opacity: .45; } .right { background: color-mix(in srgb, var(--held-out) var(--share), transparent); }
            .wrong { background: color-mix(in srgb, var(--loss) var(--share), transparent); }
            .diagonal { stroke: currentColor; stroke-opacity: .6; stroke-dasharray: 5 4; }
            .dots { fill: none; stroke: var(--held-out); stroke-opacity: .65; stroke-width: 4; stroke-linecap: round; }
            rect.cold { fill: var(--cold); } rect.warm { fill: var(--warm); } rect.killed { fill: var(--killed); }
            """;

    private ReportPage() {}

    public static String write(Report report) {
        RunResult result = report.result();
        Double loss = result.heldOutLoss();
        Double accuracy = result.accuracy();
        String reached = "no result";
        if (result.showsLoss() && loss != null) {
            reached = shown(result, loss);
        } else if (accuracy != null) {
            reached = format("%.2f%%", accuracy * 100);
        }
        String head = format(
                "%s on %s: %s after %,.0f s",
                NetworkTitle.of(result.network()), result.dataset(), reached, result.seconds());
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">"
                + "<title>" + text(head) + "</title><style>" + STYLE + "</style></head><body>"
                + "<h1>" + text(head) + "</h1>"
                + "<p>" + text(verdict(result)) + "</p>"
                + TotalsTable.write(report)
                + "<h2>Learning</h2>"
                + new CurveChart(result.seconds(), result.showsLoss())
                        .draw(
                                report.curve(),
                                result.showsLoss() ? result.targetLoss() : result.targetAccuracy(),
                                Objects.requireNonNullElse(report.fleet(), List.of()))
                + EvaluationSection.write(report)
                + fleet(report)
                + "<h2>Where the workers' time went</h2>"
                + report.workerTime().table()
                + "<h2>Activations</h2>"
                + ActivationTimeline.draw(report.activations())
                + activations(report.activations())
                + "<h2>Settings</h2>"
                + settings(report)
                + "</body></html>\n";
    }

    private static String shown(RunResult result, double loss) {
        if (result.labels() != null) {
            return format("micro F1 %.4f", result.labels().microF1());
        }
        return result.r2() == null ? format("loss %.4f", loss) : format("R² %.4f", result.r2());
    }

    private static String verdict(RunResult result) {
        String model = format("The model is version %,d, %s.%s", result.version(), result.modelPath(), best(result));
        if (result.reachedTarget() == null) {
            return end(result) + model;
        }
        return format(
                "%s the target of %s. %s%s",
                result.reachedTarget() ? "Reached" : "Did not reach", result.target(), end(result), model);
    }

    private static String end(RunResult result) {
        return switch (result.ended()) {
            case "patience" -> "The run ended because its held-out score no longer got better. ";
            case "steps" -> "The run ended with its last step. ";
            case "stopped" -> "The run was stopped. ";
            default -> "";
        };
    }

    /** Says which version is better than the model. */
    private static String best(RunResult result) {
        BestResult best = result.best();
        return best == null || best.written()
                ? ""
                : format(
                        " Version %,d was better, and is kept: fleetgrad model export --best --checkpoints %s",
                        best.version(), folder(result));
    }

    private static String folder(RunResult result) {
        int slash = result.modelPath().lastIndexOf('/');
        return slash < 0 ? "." : result.modelPath().substring(0, slash);
    }

    private static String fleet(Report report) {
        if (report.fleet() == null) {
            return "";
        }
        StringBuilder rows = new StringBuilder();
        report.fleet()
                .forEach(step -> rows.append(format(
                        "<tr><td>%,.1f s</td><td>%d</td><th>%s</th></tr>",
                        step.seconds(), step.workers(), text(step.reason()))));
        return "<h2>Workers</h2><table><tr><th>from</th><th>workers</th><th>why</th></tr>" + rows + "</table>";
    }

    private static String activations(List<ActivationRow> activations) {
        StringBuilder rows = new StringBuilder();
        // Processes of this machine have no limit of memory, and most runs no prices.
        boolean hasMemory = activations.stream().anyMatch(activation -> activation.gbSeconds() != null);
        boolean hasCost = activations.stream().anyMatch(activation -> activation.cost() != null);
        activations.stream().limit(MOST_ROWS).forEach(activation -> rows.append(row(activation, hasMemory, hasCost)));
        String left = activations.size() <= MOST_ROWS
                ? ""
                : format("<p class=\"key\">The first %,d of %,d.</p>", MOST_ROWS, activations.size());
        return ScrolledPart.of(
                        "<table><tr><th>worker</th><th>id</th><th>from</th><th>seconds</th><th>start</th>"
                                + (hasMemory ? "<th>GB-s</th>" : "")
                                + (hasCost ? "<th>cost</th>" : "")
                                + "<th>samples</th><th>MB</th><th>applied</th><th>stale</th><th>lost</th><th>end</th></tr>"
                                + rows + "</table>",
                        "activations")
                + left;
    }

    private static String row(ActivationRow activation, boolean hasMemory, boolean hasCost) {
        Map<String, Object> figures = activation.figures();
        return "<tr><th>" + text(activation.invoker()) + "</th><th>"
                + text(Objects.requireNonNullElse(activation.activation(), activation.worker()))
                + format(
                        "</th><td>%,.1f</td><td>%,.1f</td><td>%s</td>",
                        activation.started(), activation.duration(), activation.cold() ? "cold" : "warm")
                + (hasMemory ? cell(activation.gbSeconds(), "%,.2f") : "")
                + (hasCost ? cell(activation.cost(), "%.6f") : "")
                + cell(figures.get("counted"), "%,d")
                + cell(megabytes(figures.get("bytes")), "%,.1f")
                + cell(activation.applied(), "%,d")
                + cell(activation.stale(), "%,d")
                + cell(activation.lost(), "%,d")
                + "<th>" + text(Objects.requireNonNullElse(activation.why(), activation.end())) + "</th></tr>";
    }

    private static @Nullable Object megabytes(@Nullable Object bytes) {
        return bytes instanceof Number number ? (Double) (number.doubleValue() / 1e6) : null;
    }

    /** Figures come from the workers' responses: one that is not a number is shown as a dash. */
    private static String cell(@Nullable Object figure, String format) {
        if (!(figure instanceof Number number)) {
            return "<td>–</td>";
        }
        Object shown = format.endsWith("d") ? (Object) number.longValue() : (Object) number.doubleValue();
        return "<td>" + format(format, shown) + "</td>";
    }

    private static String settings(Report report) {
        StringBuilder rows = new StringBuilder();
        report.settings()
                .forEach((name, value) -> rows.append("<tr><th>")
                        .append(text(name))
                        .append("</th><td>")
                        .append(text(value))
                        .append("</td></tr>"));
        return "<table>" + rows + "</table>";
    }
}
