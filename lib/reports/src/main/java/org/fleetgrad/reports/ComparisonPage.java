package org.fleetgrad.reports;

import static org.fleetgrad.reports.chart.Markup.text;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.reports.chart.Chart;
import org.fleetgrad.reports.chart.ChartFiles;

/** Writes a comparison of runs as a self-contained HTML page. */
public final class ComparisonPage {

    private static final String STYLE = """
            :root { color-scheme: light dark; --line: #8884; }
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 960px; margin: 2em auto; padding: 0 1em; }
            h1 { font-size: 1.5em; } h2 { font-size: 1.1em; margin-top: 2em; } .wide { overflow-x: auto; }
            table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
            th { text-align: left; font-weight: 500; } td, th { padding: .15em .9em .15em 0; border-bottom: 1px solid var(--line); }
            td { text-align: right; max-width: 24em; overflow-wrap: anywhere; } thead th { text-align: right; } thead th:first-child { text-align: left; }
            svg { width: 100%; height: auto; } .wide > svg { min-width: 620px; }
            """;

    private ComparisonPage() {}

    /**
     * Writes the page.
     *
     * @param runs     what they are called
     * @param settings those that differ, by name: a value of each run
     * @param results  likewise
     * @param curves   of the runs; absent if they have none
     */
    public static String write(
            List<String> runs,
            Map<String, List<String>> settings,
            Map<String, List<String>> results,
            Optional<Chart> curves) {
        String head = "%d runs compared".formatted(runs.size());
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">"
                + "<title>" + head + "</title><style>" + STYLE + "</style></head><body>"
                + "<h1>" + head + "</h1>"
                + "<h2>Settings that differ</h2>"
                + (settings.isEmpty() ? "<p>None.</p>" : table("setting", runs, settings))
                + "<h2>Results</h2>"
                + table("result", runs, results)
                + curves.map(chart ->
                                "<h2>Learning</h2>" + ScrolledPart.of(ChartFiles.svg(chart), "chart of the learning"))
                        .orElse("")
                + "</body></html>\n";
    }

    private static String table(String name, List<String> runs, Map<String, List<String>> rows) {
        StringBuilder table = new StringBuilder("<div class=\"wide\"><table><thead><tr><th scope=\"col\">")
                .append(name)
                .append("</th>");
        runs.forEach(run -> table.append("<th scope=\"col\">").append(text(run)).append("</th>"));
        table.append("</tr></thead><tbody>");
        rows.forEach((row, values) -> {
            table.append("<tr><th scope=\"row\">").append(text(row)).append("</th>");
            values.forEach(value -> table.append("<td>")
                    .append(value.isEmpty() ? "–" : text(value))
                    .append("</td>"));
            table.append("</tr>");
        });
        return table.append("</tbody></table></div>").toString();
    }
}
