package org.fleetgrad.e2e.container;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A container of a service with the fewest privileges: no capability, a read-only root, limited memory. */
final class ServiceContainer implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final List<String> AS_LITTLE =
            List.of(("run -d --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --pids-limit 256"
                            + " --health-interval 1s")
                    .split(" "));

    private final String id;

    private ServiceContainer(String id) {
        this.id = id;
    }

    /** Starts a container; {@code flags} follow those of all containers. */
    static ServiceContainer start(String image, String memory, List<String> flags) throws IOException {
        List<String> command = new ArrayList<>(AS_LITTLE);
        command.addAll(List.of("-m", memory, "--memory-swap", memory));
        command.addAll(flags);
        command.add(image);
        return new ServiceContainer(Docker.run(command.toArray(String[]::new)));
    }

    /** Waits until the image's health check succeeds. */
    ServiceContainer awaitHealthy() throws IOException {
        try {
            await().atMost(TIMEOUT)
                    .until(() -> inspect("{{.State.Health.Status}}").equals("healthy"));
            return this;
        } catch (RuntimeException unhealthy) {
            throw new AssertionError(logs(), unhealthy);
        }
    }

    /** Returns the address of a port for this machine and for other containers. */
    URI address(int port) throws IOException {
        return URI.create("http://%s:%d".formatted(inspect("{{.NetworkSettings.IPAddress}}"), port));
    }

    String inspect(String format) throws IOException {
        return Docker.run("inspect", "--format", format, id);
    }

    /** Runs a docker command on this container, such as {@code restart}. */
    void docker(String command) throws IOException {
        Docker.run(command, id);
    }

    /** Runs a program in the container and returns its output. */
    String execute(String... program) throws IOException {
        List<String> command = new ArrayList<>(List.of("exec", id));
        command.addAll(List.of(program));
        return Docker.run(command.toArray(String[]::new));
    }

    /** Waits for the end and returns the exit code. */
    int exitCode() throws IOException {
        return Integer.parseInt(Docker.run("wait", id));
    }

    String logs() throws IOException {
        Docker.Output logs = Docker.execute(List.of("docker", "logs", id));
        return logs.out() + logs.err();
    }

    @Override
    public void close() throws IOException {
        Docker.run("rm", "--force", "--volumes", id);
    }
}
