package org.fleetgrad.e2e.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.testing.RepositoryRoot;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The manifests in {@code docker/kubernetes}.
 *
 * @param all every object of every file
 */
record Manifests(List<Manifest> all) {

    /** The folder of the manifests. */
    static final Path FOLDER = RepositoryRoot.path().resolve("docker/kubernetes");

    /** The file that lists the others. */
    static final String KUSTOMIZATION = "kustomization.yaml";

    /** One object. */
    record Manifest(String file, JsonNode root) {

        String kind() {
            return root.path("kind").asString();
        }

        String name() {
            return root.path("metadata").path("name").asString();
        }

        @Override
        public String toString() {
            return "%s: %s %s".formatted(file, kind(), name());
        }
    }

    /** The pod template of a workload. */
    record Pod(Manifest owner, JsonNode template) {

        JsonNode labels() {
            return template.path("metadata").path("labels");
        }

        JsonNode spec() {
            return template.path("spec");
        }

        String name() {
            return owner.name();
        }

        /** Returns the init containers, then the others. */
        List<JsonNode> containers() {
            return Stream.concat(
                            spec().path("initContainers").valueStream(),
                            spec().path("containers").valueStream())
                    .toList();
        }

        boolean isSelectedBy(JsonNode matchLabels) {
            return matchLabels
                    .propertyStream()
                    .allMatch(label -> labels().path(label.getKey()).equals(label.getValue()));
        }

        @Override
        public String toString() {
            return owner.toString();
        }
    }

    static Manifests read() {
        return new Manifests(files().stream()
                .flatMap(file -> parse(file.getFileName().toString(), read(file)))
                .toList());
    }

    /** Returns the files that contain objects. */
    static List<Path> files() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !file.endsWith(KUSTOMIZATION))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Reads the objects of a YAML text. */
    static Stream<Manifest> parse(String file, String yaml) {
        List<Manifest> manifests = new ArrayList<>();
        for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(yaml)) {
            manifests.add(new Manifest(file, JsonMapper.shared().valueToTree(document)));
        }
        return manifests.stream();
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    List<Manifest> of(String kind) {
        return all.stream().filter(manifest -> manifest.kind().equals(kind)).toList();
    }

    Optional<Manifest> find(String kind, String name) {
        return of(kind).stream()
                .filter(manifest -> manifest.name().equals(name))
                .findFirst();
    }

    List<Pod> pods() {
        return all.stream()
                .filter(manifest -> manifest.root().path("spec").has("template"))
                .map(manifest -> new Pod(manifest, manifest.root().path("spec").path("template")))
                .toList();
    }

    Pod pod(String name) {
        return pods().stream()
                .filter(pod -> pod.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the container of a pod that runs after the init containers. */
    JsonNode containerOf(String pod) {
        return pod(pod).spec().path("containers").path(0);
    }

    List<Pod> selected(JsonNode matchLabels) {
        return pods().stream().filter(pod -> pod.isSelectedBy(matchLabels)).toList();
    }
}
