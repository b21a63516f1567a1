package org.fleetgrad.e2e.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.testing.RepositoryRoot;
import org.fleetgrad.testing.Requirement;

/** The {@code docker} command, which OpenWhisk's invoker uses too. */
public final class Docker {

    private static final String BASE = "eclipse-temurin:17-jre";

    /** The names of the images that this JVM has built. */
    private static final Map<String, String> BUILT = new HashMap<>();

    /** The result of a command. */
    public record Output(int status, String out, String err) {}

    private Docker() {}

    /** Skips or fails the test if no Docker engine runs containers that this machine can reach by their addresses. */
    public static void require() throws IOException {
        Requirement.DOCKER.check(
                System.getProperty("os.name").equals("Linux"), "containers have addresses of their own on Linux only");
        Requirement.DOCKER.check(isFine("docker", "info"), "'docker info' does not answer");
        Requirement.DOCKER.check(
                hasImage(BASE) || isFine("docker", "pull", "--quiet", BASE),
                "the base image %s is not here and cannot be pulled".formatted(BASE));
    }

    /** Returns whether the engine has an image; does not pull it. */
    public static boolean hasImage(String image) {
        return isFine("docker", "image", "inspect", image);
    }

    /** Returns whether a command exists and succeeds. */
    public static boolean isFine(String... command) {
        try {
            return execute(List.of(command)).status() == 0;
        } catch (IOException noCommand) {
            return false;
        }
    }

    /** Builds the worker's image, if it has changed, and returns its name. */
    public static String workerImage() throws IOException {
        return image("worker");
    }

    /** Builds one of our images, if it has changed, and returns its name. Builds each once in this JVM, one at a time. */
    public static synchronized String image(String name) throws IOException {
        String built = BUILT.get(name);
        if (built == null) {
            String said = require(
                    List.of(RepositoryRoot.path().resolve("docker/build").toString(), name));
            built = said.substring(0, said.indexOf(' '));
            BUILT.put(name, built);
        }
        return built;
    }

    /** Runs a docker command and returns its output, without the last line end. */
    public static String run(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(arguments));
        return require(command);
    }

    private static String require(List<String> command) throws IOException {
        Output output = execute(command);
        if (output.status() != 0) {
            throw new IOException(
                    "%s ended with %d: %s".formatted(String.join(" ", command), output.status(), output.err()));
        }
        return output.out().stripTrailing();
    }

    /** Runs a command to its end and returns its result, whether it succeeds or fails. */
    public static Output execute(List<String> command) throws IOException {
        Path out = Files.createTempFile("docker", ".out");
        Path err = Files.createTempFile("docker", ".err");
        try {
            int status = new ProcessBuilder(command)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start()
                    .waitFor();
            return new Output(status, Files.readString(out, UTF_8), Files.readString(err, UTF_8));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(String.join(" ", command));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }
}
