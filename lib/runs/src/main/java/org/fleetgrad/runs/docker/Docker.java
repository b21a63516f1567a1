package org.fleetgrad.runs.docker;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.runs.start.ProgramActivity;

/** The Docker engine of the user's {@code docker} command, called through that command. Thread-safe. */
public final class Docker {

    private static final String COMMAND = "docker";

    /** The options, besides memory, with which OpenWhisk runs every action container. */
    private static final List<String> AS_OPENWHISK = List.of(
            "--pids-limit", "1024",
            "--ulimit", "nofile=1024:1024",
            "--cap-drop", "NET_RAW",
            "--cap-drop", "NET_ADMIN",
            "--network", "bridge");

    /**
     * A container to run.
     *
     * @param image  its image
     * @param memory memory limit without swap, as {@code docker run -m} takes it
     * @param gpu    the one GPU of the machine that it sees, by the driver's number or UUID; none if it is empty
     * @param mounts folders of this machine that it can reach
     * @param environment variables that it gets
     * @param arguments of its program
     */
    public record Container(
            String image,
            String memory,
            Optional<String> gpu,
            List<Mount> mounts,
            Map<String, String> environment,
            List<String> arguments) {}

    /**
     * A folder of this machine, and its path in a container.
     *
     * @param isReadOnly whether the container cannot write to it
     */
    public record Mount(Path from, String to, boolean isReadOnly) {

        /** A folder that the container can read. */
        public Mount(Path from, String to) {
            this(from, to, true);
        }

        /** A folder that the container can write to, too. */
        public static Mount writable(Path from, String to) {
            return new Mount(from, to, false);
        }
    }

    /**
     * Checks that the engine responds and has the worker's image; builds the image if it is missing.
     *
     * @param target what the script calls the image that it builds
     * @param home   the checkout, with the script that builds the image
     * @param teller receives a line if the image is built
     */
    public static Docker withImage(String image, String target, Path home, Consumer<String> teller)
            throws IOException, InterruptedException {
        Docker docker = new Docker();
        docker.requireEngine();
        if (!docker.hasImage(image)) {
            teller.accept("building the image %s, which the engine does not have".formatted(image));
            docker.build(home.resolve("docker").resolve("build"), target, image);
        }
        return docker;
    }

    /** Fails if no engine responds; the message says what to do. */
    private void requireEngine() throws IOException, InterruptedException {
        Optional<String> version = answer("version", "--format", "{{.Server.Version}}");
        if (version.isEmpty()) {
            throw new IOException(
                    "no Docker engine responds: start one, or set DOCKER_HOST to where it listens, such as unix:///var/run/docker.sock");
        }
    }

    private boolean hasImage(String image) throws IOException, InterruptedException {
        return answer("image", "inspect", "--format", "{{.Id}}", image).isPresent();
    }

    /** Builds the worker's image by its script; fails if the script builds another image than {@code image}. */
    private void build(Path script, String target, String image) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(script.toString(), target)
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int exitCode = process.waitFor();
        if (exitCode != 0) {
            throw new IOException("%s ended with %d: %s".formatted(script, exitCode, output));
        }
        if (!hasImage(image)) {
            throw new IOException(
                    "the engine has no image %s, and %s builds another one: %s".formatted(image, script, output));
        }
    }

    /** Returns this machine's address on the containers' network. */
    public String hostAddress() throws IOException, InterruptedException {
        String bridge = require(
                "network", "inspect", "bridge", "--format", "{{index .Options \"com.docker.network.bridge.name\"}}");
        NetworkInterface network = NetworkInterface.getByName(bridge);
        if (network == null) {
            throw new IOException(
                    "this machine has no interface '%s', Docker's bridge: the engine is on another machine, whose containers cannot reach a server here"
                            .formatted(bridge));
        }
        return network.inetAddresses()
                .filter(Inet4Address.class::isInstance)
                .map(InetAddress::getHostAddress)
                .findFirst()
                .orElseThrow(() -> new IOException("Docker's bridge '%s' has no IPv4 address".formatted(bridge)));
    }

    /** Starts a container as OpenWhisk does, and returns its id. */
    public String run(Container container) throws IOException, InterruptedException {
        // Warnings are printed before the id.
        String printed =
                require(container.environment(), runArguments(container).toArray(String[]::new));
        return printed.substring(printed.lastIndexOf('\n') + 1);
    }

    /** Returns the arguments of {@code docker} that start a container. */
    static List<String> runArguments(Container container) {
        List<String> command = new ArrayList<>(List.of(
                "run",
                "--detach",
                "--label",
                "org.fleetgrad=worker",
                "--memory",
                container.memory(),
                "--memory-swap",
                container.memory()));
        command.addAll(AS_OPENWHISK);
        container.gpu().ifPresent(name -> command.addAll(List.of("--gpus", "device=" + name)));
        for (Mount mount : container.mounts()) {
            String access = mount.isReadOnly() ? "readonly," : "";
            command.addAll(
                    List.of("--mount", "type=bind,%ssource=%s,target=%s".formatted(access, mount.from(), mount.to())));
        }
        // The name only: docker takes the value from its environment, which other users cannot read.
        container.environment().keySet().forEach(name -> command.addAll(List.of("--env", name)));
        command.add(container.image());
        command.addAll(container.arguments());
        return command;
    }

    /** Returns a running container's address on the bridge network. */
    public String addressOf(String id) throws IOException, InterruptedException {
        String address = require("inspect", "--format", "{{.NetworkSettings.IPAddress}}", id);
        if (address.isEmpty()) {
            throw new IOException(
                    "container %s has no address: it has ended. Its last output:%n%s".formatted(id, lastWords(id)));
        }
        return address;
    }

    /** Returns whether a container runs. */
    public boolean isRunning(String id) throws IOException, InterruptedException {
        return answer("inspect", "--format", "{{.State.Running}}", id)
                .filter("true"::equals)
                .isPresent();
    }

    /** Describes how a container ended: its exit code, and whether it was killed for its memory. */
    public String end(String id) throws IOException, InterruptedException {
        return answer(
                        "inspect",
                        "--format",
                        "code {{.State.ExitCode}}{{if .State.OOMKilled}}, out of memory{{end}}",
                        id)
                .orElse("it is gone");
    }

    /** Returns the last lines that a container printed. */
    public String lastWords(String id) throws IOException, InterruptedException {
        return answer("logs", "--tail", "5", id).orElse("(none)");
    }

    /** Returns a container's activity: its processor time in seconds, and a number for the last line that it printed. */
    ProgramActivity activity(String id) throws IOException, InterruptedException {
        // The engine may be on another machine, or in a virtual one: only its own ps sees the process.
        Optional<Duration> processor = answer("top", id, "-o", "pid,cputimes").flatMap(Docker::processorTime);
        // The last line with its timestamp changes when the log grows; the complete log may be large.
        return new ProgramActivity(
                processor,
                answer("logs", "--tail", "1", "--timestamps", id)
                        .map(String::hashCode)
                        .orElse(0));
    }

    private static Optional<Duration> processorTime(String table) {
        try {
            long seconds = table.lines()
                    .skip(1)
                    .map(String::strip)
                    .mapToLong(row -> Long.parseLong(row.substring(row.lastIndexOf(' ') + 1)))
                    .sum();
            return Optional.of(Duration.ofSeconds(seconds));
        } catch (NumberFormatException otherPs) {
            return Optional.empty();
        }
    }

    /** Kills a container, whatever its state, and removes it. */
    public void remove(String id) throws IOException, InterruptedException {
        Optional<String> unused = answer("rm", "--force", "--volumes", id);
    }

    private String require(String... arguments) throws IOException, InterruptedException {
        return require(Map.of(), arguments);
    }

    private String require(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        Result result = execute(environment, arguments);
        if (result.exitCode() != 0) {
            throw new IOException("docker %s ended with %d: %s"
                    .formatted(String.join(" ", arguments), result.exitCode(), result.output()));
        }
        return result.output();
    }

    private Optional<String> answer(String... arguments) throws IOException, InterruptedException {
        Result result = execute(Map.of(), arguments);
        return result.exitCode() == 0 ? Optional.of(result.output()) : Optional.empty();
    }

    private record Result(int exitCode, String output) {}

    private static Result execute(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(COMMAND));
        command.addAll(List.of(arguments));
        Process process;
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            process = builder.start();
        } catch (IOException noSuchCommand) {
            throw new IOException("there is no docker command here: install it, or train with --invoker local");
        }
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return new Result(process.waitFor(), output);
    }
}
