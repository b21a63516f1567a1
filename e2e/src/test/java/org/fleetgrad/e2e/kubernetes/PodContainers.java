package org.fleetgrad.e2e.kubernetes;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.fleetgrad.e2e.container.Docker;
import org.fleetgrad.e2e.kubernetes.Manifests.Manifest;
import org.fleetgrad.e2e.kubernetes.Manifests.Pod;
import tools.jackson.databind.JsonNode;

/**
 * Runs the pods of the manifests in Docker's containers: user, read-only root, capabilities, memory, volumes, keys,
 * variables, arguments, and the names of services. Docker cannot enforce network policies and probes.
 */
final class PodContainers implements AutoCloseable {

    private static final String ANY_IMAGE = "eclipse-temurin:17-jre";

    private final Manifests manifests;
    private final Map<String, String> images;
    private final Map<String, String> arguments;
    private final Path secrets;
    private final String site;
    private final Set<String> volumes = new TreeSet<>();
    private final List<String> containers = new ArrayList<>();

    /**
     * Makes a network for the pods.
     *
     * @param images    replacements of images in the manifests
     * @param arguments replacements of arguments in the manifests
     * @param secrets   a folder for the keys
     */
    PodContainers(Manifests manifests, Map<String, String> images, Map<String, String> arguments, Path secrets)
            throws IOException {
        this.manifests = manifests;
        this.images = Map.copyOf(images);
        this.arguments = Map.copyOf(arguments);
        this.secrets = secrets;
        this.site = "fleetgrad-pods-" + ProcessHandle.current().pid();
        Docker.run("network", "create", site);
    }

    /** Runs the init containers of a pod, one after another, and starts the last container; returns its id. */
    String start(Pod pod, int index) throws IOException {
        for (JsonNode first : pod.spec().path("initContainers")) {
            String id = start(pod, first, index);
            int code = await(id);
            if (code != 0) {
                throw new AssertionError("%s of %s ended with %d: %s"
                        .formatted(first.path("name").asString(), pod, code, logs(id)));
            }
        }
        return start(pod, pod.spec().path("containers").path(0), index);
    }

    private String start(Pod pod, JsonNode container, int index) throws IOException {
        List<String> command = new ArrayList<>(List.of("run", "--detach", "--network", site));
        for (Manifest service : manifests.of("Service")) {
            if (pod.isSelectedBy(service.root().path("spec").path("selector"))) {
                command.addAll(List.of("--network-alias", service.name()));
            }
        }
        JsonNode service = pod.owner().root().path("spec").path("serviceName");
        if (!service.isMissingNode()) {
            command.addAll(List.of("--network-alias", "%s-%d.%s".formatted(pod.name(), index, service.asString())));
        }
        JsonNode security = pod.spec().path("securityContext");
        String memory = container
                .path("resources")
                .path("limits")
                .path("memory")
                .asString()
                .replace("i", "");
        command.addAll(List.of(
                "--user",
                security.path("runAsUser").asString() + ":"
                        + security.path("runAsGroup").asString(),
                "--read-only",
                "--cap-drop",
                container
                        .path("securityContext")
                        .path("capabilities")
                        .path("drop")
                        .path(0)
                        .asString(),
                "--security-opt",
                "no-new-privileges",
                "--memory",
                memory,
                "--memory-swap",
                memory));
        variables(container).forEach((name, value) -> command.addAll(List.of("--env", name + "=" + value)));
        for (JsonNode mount : container.path("volumeMounts")) {
            command.addAll(List.of(
                    "--volume",
                    "%s:%s"
                            .formatted(
                                    volume(pod, mount, index),
                                    mount.path("mountPath").asString())));
        }
        String image = container.path("image").asString();
        command.add(images.getOrDefault(image, image));
        container
                .path("args")
                .forEach(argument -> command.add(arguments
                        .getOrDefault(argument.asString(), argument.asString())
                        .replace("$(JOB_COMPLETION_INDEX)", Integer.toString(index))));
        String id = Docker.run(command.toArray(String[]::new));
        containers.add(id);
        return id;
    }

    private Map<String, String> variables(JsonNode container) {
        Map<String, String> variables = new HashMap<>();
        for (JsonNode source : container.path("envFrom")) {
            manifests
                    .find("ConfigMap", source.path("configMapRef").path("name").asString())
                    .orElseThrow()
                    .root()
                    .path("data")
                    .forEachEntry((name, value) -> variables.put(name, value.asString()));
        }
        for (JsonNode variable : container.path("env")) {
            JsonNode key = variable.path("valueFrom").path("secretKeyRef");
            variables.put(
                    variable.path("name").asString(),
                    key.isMissingNode()
                            ? variable.path("value").asString()
                            : secret(key.path("name").asString())
                                    .path(key.path("key").asString())
                                    .asString());
        }
        return variables;
    }

    private JsonNode secret(String name) {
        return manifests.find("Secret", name).orElseThrow().root().path("stringData");
    }

    /** Returns the volume or the folder of a mount; creates it if it does not exist. */
    private String volume(Pod pod, JsonNode mount, int index) throws IOException {
        String name = mount.path("name").asString();
        for (JsonNode volume : pod.spec().path("volumes")) {
            if (volume.path("name").asString().equals(name) && volume.has("secret")) {
                return folder(pod, volume).toString();
            }
        }
        String volume = "%s-%s-%d-%s".formatted(site, pod.name(), index, name);
        if (volumes.add(volume)) {
            Docker.run("volume", "create", volume);
            String group = pod.spec().path("securityContext").path("fsGroup").asString();
            // A kubelet gives a volume to the pod's group in this way.
            Docker.run(
                    "run",
                    "--rm",
                    "--volume",
                    volume + ":/volume",
                    "--entrypoint",
                    "sh",
                    ANY_IMAGE,
                    "-c",
                    "chgrp %s /volume && chmod 2775 /volume".formatted(group));
        }
        return volume;
    }

    private Path folder(Pod pod, JsonNode volume) throws IOException {
        Path folder = secrets.resolve(pod.name() + "-" + volume.path("name").asString());
        if (Files.exists(folder)) {
            return folder;
        }
        Files.createDirectory(folder);
        // The engine's users differ from this machine's.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        JsonNode keys = secret(volume.path("secret").path("secretName").asString());
        Map<String, String> paths = new HashMap<>();
        if (volume.path("secret").has("items")) {
            volume.path("secret")
                    .path("items")
                    .forEach(item -> paths.put(
                            item.path("path").asString(), item.path("key").asString()));
        } else {
            keys.propertyNames().forEach(key -> paths.put(key, key));
        }
        for (Map.Entry<String, String> path : paths.entrySet()) {
            Files.writeString(
                    folder.resolve(path.getKey()), keys.path(path.getValue()).asString());
        }
        return folder;
    }

    /** Returns the address of a container's port for this machine. */
    URI address(String id, int port) throws IOException {
        return URI.create("http://%s:%d"
                .formatted(
                        Docker.run(
                                "inspect",
                                "--format",
                                "{{(index .NetworkSettings.Networks \"%s\").IPAddress}}".formatted(site),
                                id),
                        port));
    }

    /** Waits for the end of a container and returns its exit code. */
    int await(String id) throws IOException {
        return Integer.parseInt(Docker.run("wait", id));
    }

    String logs(String id) throws IOException {
        Docker.Output logs = Docker.execute(List.of("docker", "logs", id));
        return logs.out() + logs.err();
    }

    @Override
    public void close() throws IOException {
        for (String id : containers) {
            Docker.run("rm", "--force", "--volumes", id);
        }
        for (String volume : volumes) {
            Docker.run("volume", "rm", volume);
        }
        Docker.run("network", "rm", site);
    }
}
