package org.fleetgrad.e2e.compose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.fleetgrad.testing.GrafanaDashboard;
import org.fleetgrad.testing.RepositoryRoot;
import org.fleetgrad.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/**
 * The monitoring of {@code docker/compose.yaml}, as far as it can be held without Prometheus's and Grafana's images: its files fit
 * each other. DashboardContractTest and InferenceServiceTest hold the dashboard's metrics to the services.
 */
class MonitoringTest {

    private static final Path DOCKER = RepositoryRoot.path().resolve("docker");
    /** Words of PromQL that the dashboard's queries have, beside metrics. */
    private static final Set<String> WORDS =
            Set.of("x", "rate", "increase", "sum", "by", "outcome", "encoding", "job", "instance");

    private static Map<String, Object> yaml(String file) throws IOException {
        return new Yaml().load(Files.readString(DOCKER.resolve(file)));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Map<String, Object>> services() throws IOException {
        return (Map<String, Map<String, Object>>) yaml("compose.yaml").get("services");
    }

    @Test
    void shouldBeAcceptedByCompose() throws IOException {
        Requirement.DOCKER.check(
                ComposeProject.program().isPresent(), "there is neither docker-compose nor 'docker compose'");

        assertThat(compose("config", "--services")).contains("ps-service");
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
        Map<String, Object> service = services().get(name);

        assertThat(service).containsEntry("profiles", List.of("monitoring")).containsEntry("read_only", true);
        assertThat((List<?>) service.get("ports"))
                .allSatisfy(port -> assertThat(port).asString().startsWith("127.0.0.1:"));
        assertThat((List<?>) service.get("volumes")).allSatisfy(volume -> {
            String source = volume.toString().split(":")[0];
            assertThat(!source.startsWith(".") || Files.exists(DOCKER.resolve(source)))
                    .as(source)
                    .isTrue();
        });
        assertThat(DOCKER.resolve("monitoring/start")).isExecutable();
    }

    @Test
    void shouldScrapeTheServicesOfCompose() throws IOException {
        Set<String> jobs = new TreeSet<>();
        for (Object scraped : (List<?>) yaml("monitoring/prometheus.yaml").get("scrape_configs")) {
            Map<?, ?> job = (Map<?, ?>) scraped;
            jobs.add(job.get("job_name").toString());
            assertThat(job.get("metrics_path")).isEqualTo("/actuator/prometheus");
        }

        assertThat(jobs).isNotEmpty();
        assertThat(services().keySet()).containsAll(jobs);
        for (String job : jobs) {
            assertThat(GrafanaDashboard.metrics(job)).as(job).isNotEmpty();
        }
    }

    /** What is no metric with its job would escape the tests of the services. */
    @Test
    void shouldWriteEachMetricOfAQueryWithItsJob() throws IOException {
        assertThat(GrafanaDashboard.queries()).hasSizeGreaterThan(15).allSatisfy(query -> {
            String rest = GrafanaDashboard.withoutMetrics(query).replaceAll("\\[\\d+m]", " ");
            assertThat(WORDS)
                    .containsAll(
                            List.of(rest.replaceAll("[^a-z_]+", " ").strip().split(" ")));
        });
    }
}
