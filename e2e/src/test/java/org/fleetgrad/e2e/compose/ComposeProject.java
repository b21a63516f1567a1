package org.fleetgrad.e2e.compose;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.e2e.container.Docker;
import org.fleetgrad.testing.RepositoryRoot;

/**
 * A project of {@code docker/compose.yaml} with its own name. It is taken down even if the test's JVM is told to end.
 */
final class ComposeProject implements AutoCloseable {

    private static final List<List<String>> PROGRAMS = List.of(List.of("docker-compose"), List.of("docker", "compose"));

    private final Map<String, String> variables;
    private final Thread hook = new Thread(this::downOrTell, "compose-down");

    /** @param variables variables of Compose, including {@code COMPOSE_PROJECT_NAME} */
    ComposeProject(Map<String, String> variables) {
        this.variables = Map.copyOf(variables);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Returns the command of Compose on this machine: the separate program or Docker's plugin; empty if there is
     * neither.
     */
    static Optional<List<String>> program() {
        return PROGRAMS.stream()
                .filter(program -> Docker.isFine(
                        Stream.concat(program.stream(), Stream.of("version")).toArray(String[]::new)))
                .findFirst();
    }

    /** Runs a command of Compose and returns its output. */
    String run(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(program().orElseThrow());
        command.addAll(List.of(
                "-f", RepositoryRoot.path().resolve("docker/compose.yaml").toString()));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(variables);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            int status = process.waitFor();
            if (status != 0) {
                throw new IOException("%s ended with %d: %s".formatted(String.join(" ", command), status, output));
            }
            return output;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(String.join(" ", command));
        }
    }

    /** Returns the running containers of a service. */
    List<String> containers(String service) throws IOException {
        return run("ps", "--quiet", service).lines().toList();
    }

    private void down() throws IOException {
        run("down", "--volumes", "--timeout", "1");
    }

    private void downOrTell() {
        try {
            down();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() throws IOException {
        down();
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
