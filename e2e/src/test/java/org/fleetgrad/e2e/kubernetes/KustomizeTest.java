package org.fleetgrad.e2e.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fleetgrad.e2e.kubernetes.Manifests.Manifest;
import org.fleetgrad.testing.RepositoryRoot;
import org.fleetgrad.worker.standalone.WorkerCommand;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The manifests as rendered by kustomize, and the keys that replace the examples. */
@Tag("whole")
class KustomizeTest {

    @TempDir
    private Path folder;

    /** Kustomize writes the same objects in another order. */
    private static Map<String, JsonNode> byName(Stream<Manifest> manifests) {
        Map<String, JsonNode> named = new TreeMap<>();
        manifests.forEach(manifest -> named.put(manifest.kind() + " " + manifest.name(), manifest.root()));
        return named;
    }

    @Test
    void shouldRenderWhatTheFilesSay() throws Exception {
        assertThat(byName(Kustomize.render(Manifests.FOLDER).stream()))
                .isEqualTo(byName(Manifests.read().all().stream()));
    }

    @Test
    void shouldBeChangedByAnOverlay() throws Exception {
        // Kustomize accepts only relative paths.
        Path base = folder.toRealPath().relativize(Manifests.FOLDER.toRealPath());
        Files.writeString(folder.resolve("kustomization.yaml"), """
                namespace: ml
                resources: [%s]
                images:
                  - name: fleetgrad/worker
                    newName: example/worker
                    newTag: "7"
                  - name: quay.io/minio/minio
                    newName: example/minio
                replicas:
                  - name: inference-api
                    count: 3
                """.formatted(base));

        List<Manifest> rendered = Kustomize.render(folder);

        assertThat(rendered).hasSameSizeAs(Manifests.read().all());
        assertThat(rendered)
                .allMatch(manifest -> manifest.root()
                        .path("metadata")
                        .path("namespace")
                        .asString()
                        .equals("ml"));
        List<String> images = new Manifests(rendered)
                .pods().stream()
                        .flatMap(pod -> pod.containers().stream())
                        .map(container -> container.path("image").asString())
                        .toList();
        assertThat(images).contains("example/worker:7").anyMatch(image -> image.startsWith("example/minio:RELEASE"));
        assertThat(images).noneMatch(image -> image.startsWith("fleetgrad/worker"));
    }

    @Test
    void shouldPutSeveralInferenceApisBehindTheOneService() throws Exception {
        Manifests replicas = new Manifests(Kustomize.render(Kustomize.REPLICAS));

        assertThat(replicas.all()).hasSameSizeAs(Manifests.read().all());
        assertThat(replicas.find("Deployment", "inference-api")
                        .orElseThrow()
                        .root()
                        .path("spec")
                        .path("replicas")
                        .asInt())
                .isEqualTo(3);
    }

    @Test
    void shouldOpenThePortOfGrpcAndChangeNothingElse() throws Exception {
        Manifests base = new Manifests(Kustomize.render(Manifests.FOLDER));
        Map<String, JsonNode> before = byName(base.all().stream());
        Manifests grpc = new Manifests(Kustomize.render(Kustomize.GRPC));
        Map<String, JsonNode> after = byName(grpc.all().stream());

        assertThat(after.keySet()).isEqualTo(before.keySet());
        assertThat(before.entrySet().stream()
                        .filter(object -> !object.getValue().equals(after.get(object.getKey())))
                        .map(Map.Entry::getKey))
                .containsExactlyInAnyOrder(
                        "Deployment inference-api", "NetworkPolicy inference-api", "Service inference-api");
        JsonNode container = grpc.containerOf("inference-api");
        assertThat(container.path("env").valueStream())
                .hasSize(base.containerOf("inference-api").path("env").size() + 1)
                .anyMatch(variable -> variable.path("name").asString().equals("INFERENCE_GRPCPORT")
                        && variable.path("value").asString().equals("29601"));
        assertThat(ports(container.path("ports"), "containerPort")).containsExactlyInAnyOrder(29600, 29601);
        assertThat(ports(root(grpc, "Service").at("/spec/ports"), "port")).containsExactlyInAnyOrder(29600, 29601);
        assertThat(ports(root(grpc, "NetworkPolicy").at("/spec/ingress/0/ports"), "port"))
                .containsExactlyInAnyOrder(29600, 29601);
    }

    private static JsonNode root(Manifests manifests, String kind) {
        return manifests.find(kind, "inference-api").orElseThrow().root();
    }

    private static List<Integer> ports(JsonNode ports, String name) {
        return ports.valueStream().map(port -> port.path(name).asInt()).toList();
    }

    /** Each server has a name, and all programs get all names in the order of the partitions. */
    @Test
    void shouldNameEveryServerOfThePartitions() throws Exception {
        Manifests partitions = new Manifests(Kustomize.render(Kustomize.PARTITIONS));

        assertThat(partitions.all()).hasSize(Manifests.read().all().size() + 1);
        JsonNode servers = partitions
                .find("StatefulSet", "ps-service")
                .orElseThrow()
                .root()
                .path("spec");
        String service = servers.path("serviceName").asString();
        JsonNode named =
                partitions.find("Service", service).orElseThrow().root().path("spec");
        assertThat(named.path("clusterIP").asString()).isEqualTo("None");
        assertThat(partitions.selected(named.path("selector")))
                .singleElement()
                .satisfies(pod -> assertThat(pod.name()).isEqualTo("ps-service"));
        List<String> addresses = IntStream.range(0, servers.path("replicas").asInt())
                .mapToObj("http://ps-service-%%d.%s:29500".formatted(service)::formatted)
                .toList();
        assertThat(addresses).hasSizeGreaterThan(1);
        String all = String.join(",", addresses);
        assertThat(partitions.containerOf("worker").path("args").path(1).asString())
                .contains("\"apihost\":\"%s\"".formatted(all));
        assertThat(partitions.containerOf("inference-api").path("env").valueStream())
                .anyMatch(variable -> variable.path("name").asString().equals("INFERENCE_SERVER")
                        && variable.path("value").asString().equals(all));
        assertThat(partitions.containerOf("dataset").path("args").valueStream().map(JsonNode::asString))
                .contains("--server=" + addresses.get(0));
    }

    @Test
    void shouldGiveEveryWorkerAGpuAndChangeNothingElse() throws Exception {
        Map<String, JsonNode> before = byName(Kustomize.render(Manifests.FOLDER).stream());
        Manifests gpu = new Manifests(Kustomize.render(Kustomize.GPU));
        Map<String, JsonNode> after = byName(gpu.all().stream());

        assertThat(after.keySet()).isEqualTo(before.keySet());
        assertThat(before.entrySet().stream()
                        .filter(object -> !object.getValue().equals(after.get(object.getKey())))
                        .map(Map.Entry::getKey))
                .containsExactly("Job worker");
        JsonNode worker = gpu.containerOf("worker");
        assertThat(worker.path("image").asString()).endsWith("-gpu");
        assertThat(worker.path("args").path(1).asString()).contains("\"device\":\"cuda:0\"");
        assertThat(worker.path("resources")
                        .path("limits")
                        .path("nvidia.com/gpu")
                        .asInt())
                .isEqualTo(1);
    }

    /** What kubectl scale changes trains as the job's pods do, and stays when the work is done. */
    @Test
    void shouldMakeTheWorkersADeploymentAndChangeNothingElse() throws Exception {
        Manifests base = new Manifests(Kustomize.render(Manifests.FOLDER));
        Manifests elastic = new Manifests(Kustomize.render(Kustomize.ELASTIC));
        Map<String, JsonNode> expected = byName(base.all().stream());
        Map<String, JsonNode> after = byName(elastic.all().stream());
        assertThat(expected.remove("Job worker")).isNotNull();
        assertThat(after.remove("Deployment worker")).isNotNull();
        assertThat(after).isEqualTo(expected);

        ObjectNode before = (ObjectNode) base.containerOf("worker").deepCopy();
        ObjectNode container = (ObjectNode) elastic.containerOf("worker").deepCopy();
        List<String> arguments = container
                .path("args")
                .valueStream()
                .map(argument -> argument.asString().replace("$(POD_NAME)", "worker-7d4b9-x2x5q"))
                .toList();
        assertThat(WorkerCommand.of(arguments)).isInstanceOf(WorkerCommand.Run.class);
        assertThat(container.path("env").toString())
                .contains("{\"name\":\"WORKER_WHEN_DONE\",\"value\":\"wait\"}")
                .contains("\"fieldPath\":\"metadata.name\"");
        for (String own : List.of("args", "env")) {
            before.remove(own);
            container.remove(own);
        }
        assertThat(container).isEqualTo(before);
        assertThat(elastic.selected(elastic.find("Deployment", "worker")
                        .orElseThrow()
                        .root()
                        .path("spec")
                        .path("selector")
                        .path("matchLabels")))
                .singleElement()
                .satisfies(pod -> assertThat(
                                pod.spec().path("terminationGracePeriodSeconds").asInt())
                        .isGreaterThan(10));
    }

    /** The autoscaler reads the metric that the adapter's rule makes of the server's. */
    @Test
    void shouldScaleTheWorkersByWhatTheServerWants() throws Exception {
        Manifests scaled = new Manifests(Kustomize.render(Kustomize.AUTOSCALER));
        JsonNode spec = scaled.find("HorizontalPodAutoscaler", "worker")
                .orElseThrow()
                .root()
                .path("spec");
        JsonNode target = spec.path("scaleTargetRef");
        JsonNode deployment = scaled.find(
                        target.path("kind").asString(), target.path("name").asString())
                .orElseThrow()
                .root();
        assertThat(deployment.path("spec").has("replicas"))
                .as("applied again, it would reset the number")
                .isFalse();
        JsonNode rule = Manifests.parse("", Manifests.read(Kustomize.AUTOSCALER.resolve("prometheus-adapter.yaml")))
                .findFirst()
                .orElseThrow()
                .root()
                .path("rules")
                .path("external")
                .path(0);
        assertThat(rule.path("name").path("as").asString())
                .isEqualTo(spec.path("metrics")
                        .path(0)
                        .path("external")
                        .path("metric")
                        .path("name")
                        .asString());
        assertThat(Files.readString(RepositoryRoot.path().resolve("docs/configuration.md")))
                .contains("`" + rule.path("name").path("matches").asString() + "`");
    }

    @Test
    void shouldChangeNothingElseForPartitions() throws Exception {
        Map<String, JsonNode> before = byName(Kustomize.render(Manifests.FOLDER).stream());
        Map<String, JsonNode> after = byName(Kustomize.render(Kustomize.PARTITIONS).stream());

        assertThat(after.keySet()).containsAll(before.keySet());
        assertThat(before.entrySet().stream()
                        .filter(object -> !object.getValue().equals(after.get(object.getKey())))
                        .map(Map.Entry::getKey))
                .containsExactlyInAnyOrder(
                        "StatefulSet ps-service", "Job worker", "Deployment inference-api", "Job dataset");
    }

    @Test
    void shouldDrawOtherKeysInPlaceOfTheExamples() throws Exception {
        Path docker = copyOfDocker();
        Map<String, JsonNode> before = keys(Kustomize.render(docker.resolve("kubernetes")));

        assertThat(Kustomize.run(docker, "kubernetes/new-secrets").code()).isZero();

        List<Manifest> own = Kustomize.render(docker.resolve("kubernetes-own"));
        assertThat(own).hasSameSizeAs(Manifests.read().all());
        Map<String, JsonNode> after = keys(own);
        assertThat(after.keySet()).isEqualTo(before.keySet());
        List<String> drawn = after.entrySet().stream()
                .filter(key -> !key.getKey().endsWith(" access-key"))
                .map(key -> key.getValue().asString())
                .toList();
        assertThat(drawn).hasSize(6).doesNotHaveDuplicates().allMatch(key -> key.matches("[0-9a-f]{48}"));
        assertThat(after.get("store-keys access-key")).isEqualTo(before.get("store-keys access-key"));
        assertThat(Files.getPosixFilePermissions(docker.resolve("kubernetes-own/secrets.yaml")))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    }

    @Test
    void shouldNeverDrawAnewTheKeysThatAClusterMayHave() throws Exception {
        Path docker = copyOfDocker();
        assertThat(Kustomize.run(docker, "kubernetes/new-secrets", "kubernetes-replicas")
                        .code())
                .isZero();
        String drawn = Files.readString(docker.resolve("kubernetes-own/secrets.yaml"));

        Kustomize.Ended again = Kustomize.run(docker, "kubernetes/new-secrets");

        assertThat(again.code()).isEqualTo(3);
        assertThat(again.out()).contains("docker/kubernetes-own is there already");
        assertThat(docker.resolve("kubernetes-own/secrets.yaml")).hasContent(drawn);
        assertThat(docker.resolve("kubernetes-own/kustomization.yaml"))
                .content()
                .contains("../kubernetes-replicas");
        Kustomize.Ended missing = Kustomize.run(docker, "kubernetes/new-secrets", "kubernetes-tiny");
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.out())
                .contains("docker/kubernetes-tiny is not there")
                .contains("kubernetes-small");
    }

    /** The page says what the pods ask for. */
    @Test
    void shouldAskForWhatThePageSays() throws Exception {
        String page = Files.readString(RepositoryRoot.path().resolve("docs/kubernetes.md"));
        Requests all = Requests.of(new Manifests(Kustomize.render(Manifests.FOLDER)));
        Requests small = Requests.of(new Manifests(Kustomize.render(Kustomize.SMALL)));

        assertThat(page).contains("| `docker/kubernetes` | %s |".formatted(all));
        assertThat(page).contains("| `docker/kubernetes-small` | %s |".formatted(small));
        assertThat(small.milliCpus()).isLessThanOrEqualTo(1_000);
        assertThat(small.mebibytes()).isEqualTo(all.mebibytes());
    }

    @Test
    void shouldChangeOnlyWhatPodsAskForInASmallCluster() throws Exception {
        Map<String, JsonNode> before = byName(Kustomize.render(Manifests.FOLDER).stream());
        Map<String, JsonNode> after = byName(Kustomize.render(Kustomize.SMALL).stream());

        assertThat(after.keySet()).isEqualTo(before.keySet());
        assertThat(withoutRequests(after)).isEqualTo(withoutRequests(before));
    }

    private static Map<String, String> withoutRequests(Map<String, JsonNode> named) {
        Map<String, String> rest = new TreeMap<>();
        named.forEach(
                (name, object) -> rest.put(name, object.toString().replaceAll("\"requests\":\\{\"cpu\":\"\\w+\"", "")));
        return rest;
    }

    private Path copyOfDocker() throws IOException {
        Path docker = Files.createDirectories(folder.toRealPath().resolve("docker"));
        Path from = RepositoryRoot.path().resolve("docker");
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(
                            path -> from.relativize(path).toString().startsWith("kubernetes"))
                    .filter(path -> !from.relativize(path).startsWith("kubernetes-own"))
                    .toList()) {
                Files.copy(file, docker.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return docker;
    }

    private static Map<String, JsonNode> keys(List<Manifest> manifests) {
        Map<String, JsonNode> keys = new TreeMap<>();
        manifests.stream()
                .filter(manifest -> manifest.kind().equals("Secret"))
                .forEach(secret -> secret.root()
                        .path("stringData")
                        .forEachEntry((name, value) -> keys.put(secret.name() + " " + name, value)));
        return keys;
    }
}
