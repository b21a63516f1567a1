package org.fleetgrad.e2e.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.e2e.kubernetes.Manifests.Manifest;
import org.fleetgrad.testing.RepositoryRoot;
import org.fleetgrad.testing.Requirement;

/** Renders folders with kustomize. */
final class Kustomize {

    /** The overlay with several parameter servers. */
    static final Path PARTITIONS = RepositoryRoot.path().resolve("docker/kubernetes-partitions");

    /** The overlay with several inference APIs. */
    static final Path REPLICAS = RepositoryRoot.path().resolve("docker/kubernetes-replicas");

    /** The overlay whose inference API has a port of gRPC. */
    static final Path GRPC = RepositoryRoot.path().resolve("docker/kubernetes-grpc");

    /** The overlay whose workers have a GPU. */
    static final Path GPU = RepositoryRoot.path().resolve("docker/kubernetes-gpu");

    /** The overlay whose pods ask for less. */
    static final Path SMALL = RepositoryRoot.path().resolve("docker/kubernetes-small");

    /** The overlay whose workers are a Deployment. */
    static final Path ELASTIC = RepositoryRoot.path().resolve("docker/kubernetes-elastic");

    /** The overlay with an autoscaler of the workers. */
    static final Path AUTOSCALER = RepositoryRoot.path().resolve("docker/kubernetes-autoscaler");

    private Kustomize() {}

    record Ended(int code, String out) {}

    static Ended run(Path place, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(place.toFile())
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), out);
    }

    /** Renders a folder; skips the test if this machine has no kubectl. */
    static List<Manifest> render(Path place) throws IOException, InterruptedException {
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
}
