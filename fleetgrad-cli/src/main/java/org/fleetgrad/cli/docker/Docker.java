package org.fleetgrad.cli.docker;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The Docker engine, by its command line: whatever a user's {@code docker} speaks to. Safe from several threads.
 */
public final class Docker {

    private static final String COMMAND = "docker";

    /** What OpenWhisk gives every action container beside its memory. */
    private static final List<String> AS_OPENWHISK = List.of(
            "--pids-limit", "1024",
            "--ulimit", "nofile=1024:1024",
            "--cap-drop", "NET_RAW",
            "--cap-drop", "NET_ADMIN",
            "--network", "bridge");

    /**
     * A container that is to run.
     *
     * @param image  what is in it
     * @param memory memory and, as there is no swap, all of it: as {@code docker run -m} has it
     * @param mounts folders of this machine that it may read
     */
    public record Container(String image, String memory, List<Mount> mounts) {}

    /** A folder of this machine, and where a container sees it. */
    public record Mount(Path from, String to) {}

    /** Fails where there is no engine to talk to, with what to do about it. */
    public void requireEngine() throws IOException, InterruptedException {
        Optional<String> version = answer("version", "--format", "{{.Server.Version}}");
        if (version.isEmpty()) {
            throw new IOException(
                    "no Docker engine answers: start one, or set DOCKER_HOST to where it listens, such as unix:///var/run/docker.sock");
        }
    }

    /** Tells whether the engine has the image. */
    public boolean hasImage(String image) throws IOException, InterruptedException {
        return answer("image", "inspect", "--format", "{{.Id}}", image).isPresent();
    }

    /** Builds the worker's image by its script; fails where it is not {@code image} that comes of it. */
    public void build(Path script, String image) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(script.toString(), "worker")
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
                    "the engine has no image %s, and %s builds another: %s".formatted(image, script, output));
        }
    }

    /** Returns this machine's address on the network that containers are on. */
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
        for (Mount mount : container.mounts()) {
            command.addAll(
                    List.of("--mount", "type=bind,readonly,source=%s,target=%s".formatted(mount.from(), mount.to())));
        }
        command.add(container.image());
        // Warnings come first.
        String printed = require(command.toArray(String[]::new));
        return printed.substring(printed.lastIndexOf('\n') + 1);
    }

    /** Returns a running container's address on the bridge network. */
    public String addressOf(String id) throws IOException, InterruptedException {
        String address = require("inspect", "--format", "{{.NetworkSettings.IPAddress}}", id);
        if (address.isEmpty()) {
            throw new IOException(
                    "container %s has no address: it has ended. Its last words:%n%s".formatted(id, lastWords(id)));
        }
        return address;
    }

    /** Tells whether a container runs. */
    public boolean isRunning(String id) throws IOException, InterruptedException {
        return answer("inspect", "--format", "{{.State.Running}}", id)
                .filter("true"::equals)
                .isPresent();
    }

    /** Says how a container ended: killed for its memory, or with which code. */
    public String end(String id) throws IOException, InterruptedException {
        return answer(
                        "inspect",
                        "--format",
                        "code {{.State.ExitCode}}{{if .State.OOMKilled}}, out of memory{{end}}",
                        id)
                .orElse("it is gone");
    }

    /** Returns the end of what a container printed. */
    public String lastWords(String id) throws IOException, InterruptedException {
        return answer("logs", "--tail", "5", id).orElse("(none)");
    }

    /** Kills a container and removes it, however it is. */
    public void remove(String id) throws IOException, InterruptedException {
        Optional<String> unused = answer("rm", "--force", "--volumes", id);
    }

    private String require(String... arguments) throws IOException, InterruptedException {
        Result result = execute(arguments);
        if (result.exitCode() != 0) {
            throw new IOException("docker %s ended with %d: %s"
                    .formatted(String.join(" ", arguments), result.exitCode(), result.output()));
        }
        return result.output();
    }

    private Optional<String> answer(String... arguments) throws IOException, InterruptedException {
        Result result = execute(arguments);
        return result.exitCode() == 0 ? Optional.of(result.output()) : Optional.empty();
    }

    private record Result(int exitCode, String output) {}

    private static Result execute(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(COMMAND));
        command.addAll(List.of(arguments));
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException noSuchCommand) {
            throw new IOException("there is no docker command here: install it, or train with --invoker local");
        }
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return new Result(process.waitFor(), output);
    }
}
