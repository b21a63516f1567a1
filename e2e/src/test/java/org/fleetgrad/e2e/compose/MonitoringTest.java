package org.fleetgrad.e2e.compose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.fleetgrad.testing.GrafanaDashboard;
import org.fleetgrad.testing.RepositoryRoot;
import org.fleetgrad.testing.Requirement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The monitoring of {@code docker/compose.yaml}, as far as it can be held without Prometheus's and Grafana's images: its files fit
 * each other. DashboardContractTest and InferenceServiceTest hold the dashboard's metrics to the services.
 */
class MonitoringTest {

    private static final Path DOCKER = RepositoryRoot.path().resolve("docker");
    /** Words of PromQL that the dashboard's queries have, beside metrics. */
    private static final Set<String> WORDS = Set.of(
            "x",
            "rate",
            "increase",
            "sum",
            "max",
            "max_over_time",
            "scalar",
            "by",
            "outcome",
            "encoding",
            "job",
            "instance");

    private static JsonNode yaml(String file) throws IOException {
        Object read = new Yaml().load(Files.readString(DOCKER.resolve(file)));
        return JsonMapper.builder().build().valueToTree(read);
    }

    @Test
    @Tag("whole")
    void shouldBeAcceptedByCompose() throws IOException {
        Requirement.DOCKER.check(
                ComposeProject.program().isPresent(), "there is neither docker-compose nor 'docker compose'");

        assertThat(compose("config", "--services")).contains("ps-service");
        assertThat(compose("config").toString()).doesNotContain("29601");
        assertThat(compose("-f", DOCKER.resolve("compose.grpc.yaml").toString(), "config")
                        .toString())
                .contains("INFERENCE_GRPCPORT", "29601", "29600");
        assertThat(compose("--profile", "monitoring", "config", "--services")).contains("prometheus", "grafana");
    }

    private static List<String> compose(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(ComposeProject.program().orElseThrow());
        command.addAll(List.of("-f", DOCKER.resolve("compose.yaml").toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"prometheus", "grafana"})
    void shouldStartWithTheProfileOnlyOnLoopbackWithFilesThatAreThere(String name) throws IOException {
        JsonNode service = yaml("compose.yaml").path("services").path(name);

        assertThat(texts(service.path("profiles"))).containsExactly("monitoring");
        assertThat(service.path("read_only").asBoolean()).isTrue();
        assertThat(texts(service.path("ports"))).isNotEmpty().allMatch(port -> port.startsWith("127.0.0.1:"));
        assertThat(texts(service.path("volumes"))).isNotEmpty().allSatisfy(volume -> {
            String source = volume.split(":", 2)[0];
            assertThat(!source.startsWith(".") || Files.exists(DOCKER.resolve(source)))
                    .as(source)
                    .isTrue();
        });
        assertThat(DOCKER.resolve("monitoring/start")).isExecutable();
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }

    @Test
    void shouldScrapeTheServicesOfCompose() throws IOException {
        Set<String> jobs = new TreeSet<>();
        for (JsonNode job : yaml("monitoring/prometheus.yaml").path("scrape_configs")) {
            jobs.add(job.path("job_name").asString());
            assertThat(job.path("metrics_path").asString()).isEqualTo("/actuator/prometheus");
        }

        assertThat(jobs).isNotEmpty();
        assertThat(yaml("compose.yaml").path("services").propertyNames()).containsAll(jobs);
        for (String job : jobs) {
            assertThat(GrafanaDashboard.metrics(job)).as(job).isNotEmpty();
        }
    }

    /** GrafanaDashboard reads the queries line by line, and the tests of the services hold their metrics to them. */
    @Test
    void shouldAlertByRulesThatPrometheusLoads() throws IOException {
        assertThat(texts(yaml("monitoring/prometheus.yaml").path("rule_files")))
                .containsExactly("/etc/prometheus/alerts.yaml");
        assertThat(texts(yaml("compose.yaml").at("/services/prometheus/volumes")))
                .contains("./monitoring/alerts.yaml:/etc/prometheus/alerts.yaml:ro");
        List<JsonNode> rules = yaml("monitoring/alerts.yaml")
                .path("groups")
                .valueStream()
                .flatMap(group -> group.path("rules").valueStream())
                .toList();
        assertThat(rules.stream().map(rule -> rule.path("alert").asString()))
                .containsExactly("AccuracyFalls", "StalenessRises", "FollowerFallsBehind");
        assertThat(rules.stream().map(rule -> rule.path("expr").asString()).toList())
                .isEqualTo(GrafanaDashboard.alerts());
        assertThat(rules).allSatisfy(rule -> {
            assertThat(rule.path("for").asString()).matches("\\d+m");
            assertThat(rule.at("/annotations/summary").asString()).contains("$value");
            assertThat(rule.at("/annotations/description").asString()).isNotEmpty();
        });
    }

    /** What is no metric with its job would escape the tests of the services. */
    @Test
    void shouldWriteEachMetricOfAQueryWithItsJob() throws IOException {
        assertThat(GrafanaDashboard.queries()).hasSizeGreaterThan(15).allSatisfy(query -> {
            String rest = GrafanaDashboard.withoutMetrics(query).replaceAll("\\[\\d+m]|offset \\d+m", " ");
            assertThat(WORDS)
                    .containsAll(
                            List.of(rest.replaceAll("[^a-z_]+", " ").strip().split(" ")));
        });
    }
}
