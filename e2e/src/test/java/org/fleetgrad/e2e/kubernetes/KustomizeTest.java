package org.fleetgrad.e2e.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.fleetgrad.e2e.kubernetes.Manifests.Manifest;
import org.fleetgrad.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The manifests as kustomize renders them, and the keys that replace the examples. */
class KustomizeTest {

    @TempDir
    private Path folder;

    private record Ended(int code, String out) {}

    private static Ended run(Path place, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(place.toFile())
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), out);
    }

    private static List<Manifest> render(Path place) throws IOException, InterruptedException {
        boolean isThere;
        try {
            isThere = run(place, "kubectl", "version", "--client").code() == 0;
        } catch (IOException noSuchCommand) {
            isThere = false;
        }
        Requirement.KUBECTL.check(isThere, "the command kubectl");
        Ended ended = run(place, "kubectl", "kustomize", ".");
        assertThat(ended.code()).as(ended.out()).isZero();
        return Manifests.parse("rendered", ended.out()).toList();
    }

    /** Kustomize writes the same in another order. */
    private static Map<String, JsonNode> byName(Stream<Manifest> manifests) {
        Map<String, JsonNode> named = new TreeMap<>();
        manifests.forEach(manifest -> named.put(manifest.kind() + " " + manifest.name(), manifest.root()));
        return named;
    }

    @Test
    void shouldRenderWhatTheFilesSay() throws Exception {
        assertThat(byName(render(Manifests.FOLDER).stream())).isEqualTo(byName(Manifests.read().all().stream()));
    }

    @Test
    void shouldBeChangedByAnOverlay() throws Exception {
        // Kustomize takes relative paths only.
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

        List<Manifest> rendered = render(folder);

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
    void shouldDrawOtherKeysInPlaceOfTheExamples() throws Exception {
        for (String name : List.of("secrets.yaml", "new-secrets")) {
            Files.copy(Manifests.FOLDER.resolve(name), folder.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
        }
        Map<String, JsonNode> before = secrets();

        assertThat(run(folder, "./new-secrets").code()).isZero();

        Map<String, JsonNode> after = secrets();
        assertThat(after.keySet()).isEqualTo(before.keySet());
        List<String> drawn = after.entrySet().stream()
                .filter(key -> !key.getKey().endsWith(" access-key"))
                .map(key -> key.getValue().asString())
                .toList();
        assertThat(drawn).hasSize(5).doesNotHaveDuplicates().allMatch(key -> key.matches("[0-9a-f]{48}"));
        assertThat(after.get("store-keys access-key")).isEqualTo(before.get("store-keys access-key"));
    }

    private Map<String, JsonNode> secrets() {
        Map<String, JsonNode> keys = new TreeMap<>();
        Manifests.parse("", Manifests.read(folder.resolve("secrets.yaml")))
                .forEach(secret -> secret.root()
                        .path("stringData")
                        .forEachEntry((name, value) -> keys.put(secret.name() + " " + name, value)));
        return keys;
    }
}
