package org.fleetgrad.e2e.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.fleetgrad.e2e.kubernetes.Manifests.Pod;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The volumes, keys and variables of pods exist, and are those that the programs read. */
class KubernetesConfigurationTest {

    private static final Manifests MANIFESTS = Manifests.read();
    private static final DocumentedVariables DOCUMENTED = new DocumentedVariables();

    static Stream<Pod> pods() {
        return MANIFESTS.pods().stream();
    }

    @ParameterizedTest
    @MethodSource("pods")
    void shouldMountWhatExists(Pod pod) {
        Set<String> volumes = new TreeSet<>();
        pod.spec()
                .path("volumes")
                .forEach(volume -> volumes.add(volume.path("name").asString()));
        pod.owner()
                .root()
                .path("spec")
                .path("volumeClaimTemplates")
                .forEach(
                        claim -> volumes.add(claim.path("metadata").path("name").asString()));
        Set<String> mounted = new TreeSet<>();
        for (JsonNode container : pod.containers()) {
            container
                    .path("volumeMounts")
                    .forEach(mount -> mounted.add(mount.path("name").asString()));
        }
        assertThat(mounted).as("none is missing, none is idle").isEqualTo(volumes);
        for (JsonNode volume : pod.spec().path("volumes")) {
            JsonNode secret = volume.path("secret");
            secret.path("items")
                    .forEach(item -> assertSecret(
                            secret.path("secretName").asString(),
                            item.path("key").asString()));
            if (volume.has("secret")) {
                assertThat(MANIFESTS.find("Secret", secret.path("secretName").asString()))
                        .isPresent();
            }
        }
    }

    /** In other places the image's own volume would hide the mounted one, and be deleted with the pod. */
    @Test
    void shouldMountVolumesWhereImagesDeclareThem() {
        List<String> declared = new ArrayList<>();
        for (Pod pod : MANIFESTS.pods()) {
            for (JsonNode container : pod.containers()) {
                String name = container.path("image").asString().replaceAll("^fleetgrad/|:.*", "");
                Path dockerfile = RepositoryRoot.path().resolve("docker/%s/Dockerfile".formatted(name));
                List<String> volumes = pod.name().equals("store")
                        ? List.of("/data")
                        : Manifests.read(dockerfile)
                                .lines()
                                .filter(line -> line.startsWith("VOLUME "))
                                .map(line -> line.substring("VOLUME ".length()))
                                .toList();
                declared.addAll(volumes);
                assertThat(container
                                .path("volumeMounts")
                                .valueStream()
                                .map(mount -> mount.path("mountPath").asString()))
                        .as(name)
                        .containsAll(volumes);
            }
        }
        assertThat(declared).contains("/var/lib/fleetgrad/checkpoints");
    }

    @ParameterizedTest
    @MethodSource("pods")
    void shouldReferToConfigurationThatExists(Pod pod) {
        for (JsonNode container : pod.containers()) {
            for (JsonNode source : container.path("envFrom")) {
                assertThat(MANIFESTS.find(
                                "ConfigMap",
                                source.path("configMapRef").path("name").asString()))
                        .isPresent();
            }
            for (JsonNode variable : container.path("env")) {
                JsonNode key = variable.path("valueFrom").path("secretKeyRef");
                if (!key.isMissingNode()) {
                    assertSecret(key.path("name").asString(), key.path("key").asString());
                }
                if (variable.path("name").asString().endsWith("FILE")) {
                    assertThat(secretFiles(pod, container))
                            .contains(variable.path("value").asString());
                }
            }
        }
    }

    private static void assertSecret(String name, String key) {
        assertThat(MANIFESTS.find("Secret", name)).as(name).isPresent();
        JsonNode value = MANIFESTS
                .find("Secret", name)
                .orElseThrow()
                .root()
                .path("stringData")
                .path(key);
        assertThat(value.asString("")).as("%s of %s", key, name).hasSizeGreaterThanOrEqualTo(8);
    }

    /** Returns the paths of all keys mounted in a container. */
    private static List<String> secretFiles(Pod pod, JsonNode container) {
        return container
                .path("volumeMounts")
                .valueStream()
                .flatMap(mount -> pod.spec()
                        .path("volumes")
                        .valueStream()
                        .filter(volume -> volume.path("name").equals(mount.path("name")))
                        .flatMap(volume -> keys(volume.path("secret")))
                        .map(key -> mount.path("mountPath").asString() + "/" + key))
                .toList();
    }

    private static Stream<String> keys(JsonNode secret) {
        return secret.has("items")
                ? secret.path("items")
                        .valueStream()
                        .map(item -> item.path("path").asString())
                : MANIFESTS.find("Secret", secret.path("secretName").asString("")).stream()
                        .flatMap(found -> found.root().path("stringData").propertyNames().stream());
    }

    /** A pod must not have keys that it does not need. */
    @ParameterizedTest
    @MethodSource("pods")
    void shouldMountTheKeysOfItsRoleAlone(Pod pod) {
        Set<String> roles = new TreeSet<>();
        for (JsonNode container : pod.containers()) {
            secretFiles(pod, container).stream()
                    .filter(file -> file.startsWith("/run/secrets/fleetgrad/"))
                    .forEach(file -> roles.add(file.substring(file.lastIndexOf('/') + 1)));
        }
        assertThat(roles)
                .isEqualTo(
                        switch (pod.name()) {
                            case "ps-service" -> Set.of("worker", "reader", "evaluator", "operator", "token-key");
                            case "worker" -> Set.of("worker");
                            case "inference-api" -> Set.of("reader", "evaluator", "operator", "token-key");
                            case "dataset" -> Set.of("operator");
                            default -> Set.of();
                        });
    }

    /** Otherwise a Service would hand a token of one replica to another, which refuses it. */
    @Test
    void shouldSignTokensWithOneKeyEverywhere() {
        Map<String, String> files = new TreeMap<>();
        for (Pod pod : MANIFESTS.pods()) {
            for (JsonNode container : pod.containers()) {
                for (JsonNode variable : container.path("env")) {
                    if (variable.path("name").asString().endsWith("_SECURITY_TOKENKEYFILE")) {
                        files.put(pod.name(), variable.path("value").asString());
                    }
                }
            }
        }

        assertThat(files)
                .containsOnlyKeys("ps-service", "inference-api")
                .containsValue("/run/secrets/fleetgrad/token-key");
        assertThat(new TreeSet<>(files.values())).hasSize(1);
        String key = MANIFESTS
                .find("Secret", "fleetgrad-keys")
                .orElseThrow()
                .root()
                .path("stringData")
                .path("token-key")
                .asString();
        assertThat(key).hasSizeGreaterThanOrEqualTo(32);
    }

    @ParameterizedTest
    @MethodSource("pods")
    void shouldSetVariablesThatAreDocumented(Pod pod) {
        for (JsonNode container : pod.containers()) {
            Stream<String> names = Stream.concat(
                    container
                            .path("env")
                            .valueStream()
                            .map(variable -> variable.path("name").asString()),
                    container
                            .path("envFrom")
                            .valueStream()
                            .flatMap(source -> MANIFESTS
                                    .find(
                                            "ConfigMap",
                                            source.path("configMapRef")
                                                    .path("name")
                                                    .asString())
                                    .orElseThrow()
                                    .root()
                                    .path("data")
                                    .propertyNames()
                                    .stream()));
            assertThat(names)
                    .allSatisfy(
                            name -> assertThat(DOCUMENTED.has(name)).as(name).isTrue());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PS_LEARNING_RATE", "PS_SECURITY_KEYS_WORKER_KEY", "EPOCHS", "WORKER_RUN"})
    void shouldNotTakeAnyNameForADocumentedOne(String name) {
        assertThat(DOCUMENTED.has(name)).isFalse();
    }
}
