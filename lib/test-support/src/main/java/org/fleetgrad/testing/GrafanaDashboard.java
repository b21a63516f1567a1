package org.fleetgrad.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard and the alerts in {@code docker/monitoring}: their Prometheus queries. */
public final class GrafanaDashboard {

    /** Each metric of a query is written with the job that has it. */
    private static final Pattern METRIC = Pattern.compile("([a-z_0-9]+)\\{job=\"([a-z-]+)\"[^}]*}");

    private static final String EXPRESSION = "expr:";

    private GrafanaDashboard() {}

    /** Returns the queries of the dashboard, and those of the alerts. */
    public static List<String> queries() throws IOException {
        JsonNode dashboard = JsonMapper.builder().build().readTree(text("grafana/dashboards/fleetgrad.json"));
        Stream<String> panels = dashboard
                .path("panels")
                .valueStream()
                .flatMap(panel -> panel.path("targets").valueStream())
                .map(target -> target.path("expr").asString());
        return Stream.concat(panels, alerts().stream()).toList();
    }

    /** Returns the queries of the alerts: each is one line, so that this needs no reader of YAML. */
    public static List<String> alerts() throws IOException {
        return text("alerts.yaml")
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith(EXPRESSION))
                .map(line -> line.substring(EXPRESSION.length()).strip())
                .toList();
    }

    private static String text(String file) throws IOException {
        return Files.readString(
                RepositoryRoot.path().resolve("docker/monitoring").resolve(file));
    }

    /** Returns the metrics that the queries take from a job. */
    public static Set<String> metrics(String job) throws IOException {
        Set<String> metrics = new TreeSet<>();
        for (String query : queries()) {
            for (MatchResult metric : METRIC.matcher(query).results().toList()) {
                if (metric.group(2).equals(job)) {
                    metrics.add(metric.group(1));
                }
            }
        }
        return metrics;
    }

    /** Returns the query without the metrics in it, to see whether anything else is left that might be one. */
    public static String withoutMetrics(String query) {
        return METRIC.matcher(query).replaceAll("x");
    }

    /** Returns the metrics of a job that its response to Prometheus lacks. */
    public static Set<String> missing(String job, String exposition) throws IOException {
        Set<String> missing = metrics(job);
        exposition.lines().forEach(line -> missing.remove(line.split("[{ ]", 2)[0]));
        return missing;
    }
}
