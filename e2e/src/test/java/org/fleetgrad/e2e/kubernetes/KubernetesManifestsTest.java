package org.fleetgrad.e2e.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fleetgrad.e2e.kubernetes.Manifests.Manifest;
import org.fleetgrad.e2e.kubernetes.Manifests.Pod;
import org.fleetgrad.files.units.Durations;
import org.fleetgrad.testing.RepositoryRoot;
import org.fleetgrad.tools.DatasetTools;
import org.fleetgrad.worker.standalone.WorkerCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Checks what a schema cannot: that the statements of a manifest about programs, files and other manifests are true.
 */
class KubernetesManifestsTest {

    private static final Manifests MANIFESTS = Manifests.read();
    private static final List<String> LABELS = List.of("name", "component", "part-of");

    static Stream<Pod> pods() {
        return MANIFESTS.pods().stream();
    }

    static Stream<Manifest> manifests() {
        return MANIFESTS.all().stream();
    }

    private static Stream<String> images() {
        return pods().flatMap(pod -> pod.containers().stream())
                .map(container -> container.path("image").asString());
    }

    @Test
    void shouldListEveryFileInTheKustomization() {
        JsonNode kustomization = Manifests.parse("", Manifests.read(Manifests.FOLDER.resolve(Manifests.KUSTOMIZATION)))
                .findFirst()
                .orElseThrow()
                .root();

        assertThat(kustomization.path("resources").valueStream().map(JsonNode::asString))
                .containsExactlyInAnyOrderElementsOf(Manifests.files().stream()
                        .map(file -> file.getFileName().toString())
                        .toList());
    }

    @Test
    void shouldNameTheImagesOfThisVersion() {
        String pom = Manifests.read(RepositoryRoot.path().resolve("pom.xml"));
        Matcher version = Pattern.compile("<version>([^<]+)</version>").matcher(pom);
        assertThat(version.find()).isTrue();

        assertThat(new TreeSet<>(
                        images().filter(image -> image.startsWith("fleetgrad/")).toList()))
                .containsExactly(Stream.of("dataset-tools", "inference-api", "ps-service", "worker")
                        .map(name -> "fleetgrad/%s:%s"
                                .formatted(name, version.group(1).toLowerCase(Locale.ROOT)))
                        .toArray(String[]::new));
        assertThat(images().filter(image -> !image.startsWith("fleetgrad/")))
                .as("an image without a version is another one tomorrow")
                .allMatch(image -> image.matches("quay.io/minio/minio:RELEASE\\..+"));
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void shouldLabelEverything(Manifest manifest) {
        assertThat(manifest.root().path("metadata").has("namespace")).isFalse();
        assertLabels(manifest.root().path("metadata").path("labels"), manifest.name());
    }

    @ParameterizedTest
    @MethodSource("pods")
    void shouldLabelPodsAsTheirOwnersSelectThem(Pod pod) {
        assertLabels(pod.labels(), pod.name());
        JsonNode selector = pod.owner().root().path("spec").path("selector").path("matchLabels");
        assertThat(pod.isSelectedBy(selector)).isTrue();
        assertThat(MANIFESTS.selected(pod.labels()))
                .as("no other pod is taken for it")
                .hasSize(1);
    }

    private static void assertLabels(JsonNode labels, String name) {
        for (String label : LABELS) {
            assertThat(labels.path("app.kubernetes.io/" + label).asString())
                    .as(label)
                    .isNotBlank();
        }
        assertThat(labels.path("app.kubernetes.io/name").asString()).isEqualTo(name);
        assertThat(labels.path("app.kubernetes.io/part-of").asString()).isEqualTo("fleetgrad");
    }

    @Test
    void shouldServeAtThePortsOfThePods() {
        for (Manifest service : MANIFESTS.of("Service")) {
            List<Pod> pods = MANIFESTS.selected(service.root().path("spec").path("selector"));
            assertThat(pods).as(service.toString()).hasSize(1);
            List<String> ports = pods.get(0).containers().stream()
                    .flatMap(container -> container.path("ports").valueStream())
                    .map(port -> port.path("name").asString() + " "
                            + port.path("containerPort").asInt())
                    .toList();
            for (JsonNode port : service.root().path("spec").path("ports")) {
                assertThat(ports)
                        .contains(port.path("targetPort").asString() + " "
                                + port.path("port").asInt());
            }
        }
        for (Manifest stateful : MANIFESTS.of("StatefulSet")) {
            assertThat(MANIFESTS.find(
                            "Service",
                            stateful.root().path("spec").path("serviceName").asString()))
                    .isPresent();
        }
    }

    @ParameterizedTest
    @MethodSource("pods")
    void shouldProbeRoutesThatAreAnswered(Pod pod) {
        JsonNode routes = Manifests.parse(
                        "", Manifests.read(RepositoryRoot.path().resolve("openapi.yaml")))
                .findFirst()
                .orElseThrow()
                .root()
                .path("paths");
        boolean isServing = !pod.owner().kind().equals("Job");
        for (JsonNode container : pod.containers()) {
            for (String kind : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                assertThat(container.has(kind)).as(kind).isEqualTo(isServing);
                if (!isServing) {
                    continue;
                }
                JsonNode get = container.path(kind).path("httpGet");
                assertThat(container.path("ports").valueStream().map(port -> port.path("name")))
                        .contains(get.path("port"));
                String path = get.path("path").asString();
                if (pod.name().equals("store")) {
                    assertThat(path).isIn("/minio/health/live", "/minio/health/ready");
                } else {
                    JsonNode route = routes.path(path).path("get");
                    assertThat(route.path("tags").valueStream().map(JsonNode::asString))
                            .as(path)
                            .contains(pod.name());
                    assertThat(route.path("security").isEmpty())
                            .as("nobody asks the kubelet for a token")
                            .isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pods")
    void shouldRunWithoutPrivileges(Pod pod) {
        JsonNode security = pod.spec().path("securityContext");
        assertThat(security.path("runAsNonRoot").asBoolean()).isTrue();
        assertThat(security.path("runAsUser").asInt()).isEqualTo(10001);
        assertThat(security.path("seccompProfile").path("type").asString()).isEqualTo("RuntimeDefault");
        assertThat(pod.spec().path("automountServiceAccountToken").asBoolean(true))
                .isFalse();
        assertThat(pod.spec().path("enableServiceLinks").asBoolean(true)).isFalse();
        for (JsonNode container : pod.containers()) {
            JsonNode own = container.path("securityContext");
            assertThat(own.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
            assertThat(own.path("readOnlyRootFilesystem").asBoolean()).isTrue();
            assertThat(own.path("capabilities").path("drop").path(0).asString()).isEqualTo("ALL");
            assertThat(own.path("capabilities").has("add")).isFalse();
            for (String bound : List.of("requests", "limits")) {
                assertThat(container.path("resources").path(bound).propertyNames())
                        .as(bound)
                        .contains("cpu", "memory");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pods")
    void shouldGiveServicesMoreTimeToEndThanTheyTake(Pod pod) {
        long grace = pod.spec().path("terminationGracePeriodSeconds").asLong(30);
        Duration needed = switch (pod.name()) {
            case "ps-service", "inference-api" -> shutdownPhase(pod.name());
            // docs/configuration.md promises this for a standalone worker.
            case "worker" -> Duration.ofSeconds(10);
            default -> Duration.ZERO;
        };
        assertThat(Duration.ofSeconds(grace)).isGreaterThan(needed);
    }

    private static Duration shutdownPhase(String module) {
        String phase = Manifests.parse(
                        "",
                        Manifests.read(RepositoryRoot.path().resolve(module + "/src/main/resources/application.yaml")))
                .findFirst()
                .orElseThrow()
                .root()
                .path("spring")
                .path("lifecycle")
                .path("timeout-per-shutdown-phase")
                .asString();
        return Durations.parse(phase);
    }

    @Test
    void shouldAskTheProgramsForWhatTheyKnow() {
        for (Pod pod : MANIFESTS.pods()) {
            for (JsonNode container : pod.containers()) {
                List<String> arguments = container
                        .path("args")
                        .valueStream()
                        .map(argument -> argument.asString().replace("$(JOB_COMPLETION_INDEX)", "0"))
                        .toList();
                String image = container.path("image").asString();
                if (image.startsWith("fleetgrad/worker:")) {
                    assertThat(WorkerCommand.of(arguments)).isInstanceOf(WorkerCommand.Run.class);
                } else if (image.startsWith("fleetgrad/dataset-tools:")) {
                    assertThat(DatasetTools.named(DatasetTools.NAME)
                                    .parseArgs(arguments.toArray(String[]::new))
                                    .hasSubcommand())
                            .isTrue();
                } else if (image.startsWith("fleetgrad/")) {
                    assertThat(arguments).isEmpty();
                }
            }
        }
    }

    /** The placeholder exists only if the job numbers its pods. */
    @Test
    void shouldNumberWorkersByTheirIndex() {
        Manifest job = MANIFESTS.find("Job", "worker").orElseThrow();
        JsonNode spec = job.root().path("spec");

        assertThat(spec.path("completionMode").asString()).isEqualTo("Indexed");
        assertThat(spec.path("completions")).isEqualTo(spec.path("parallelism"));
        assertThat(spec.path("podFailurePolicy")
                        .path("rules")
                        .path(0)
                        .path("onExitCodes")
                        .path("values")
                        .toString())
                .as("USAGE and REFUSED: another try would meet the same")
                .isEqualTo("[2,3]");
        assertThat(spec.path("podFailurePolicy")
                        .path("rules")
                        .path(0)
                        .path("onExitCodes")
                        .path("containerName"))
                .isEqualTo(spec.path("template")
                        .path("spec")
                        .path("containers")
                        .path(0)
                        .path("name"));
    }
}
