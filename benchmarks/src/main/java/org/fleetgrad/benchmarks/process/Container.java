package org.fleetgrad.benchmarks.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A container of an action, with OpenWhisk's flags. */
public final class Container implements AutoCloseable {

    /** The invoker's flags for an action of 256 MB. */
    private static final String FLAGS = "run -d -m 256m --memory-swap 256m --pids-limit 1024 --ulimit nofile=1024:1024"
            + " --cap-drop NET_RAW --cap-drop NET_ADMIN";

    private static final Map<String, Integer> UNITS = Map.of("B", 0, "KiB", 10, "MiB", 20, "GiB", 30);

    private final String id;

    private Container(String id) {
        this.id = id;
    }

    /** Starts a container without waiting for its worker. */
    public static Container start(String image) throws IOException {
        List<String> command = new ArrayList<>(List.of(FLAGS.split(" ")));
        command.add(image);
        return new Container(docker(command.toArray(String[]::new)));
    }

    /** Returns the address of its worker. */
    public URI address() throws IOException {
        return URI.create("http://%s:8080".formatted(inspect("{{.NetworkSettings.IPAddress}}")));
    }

    /** Returns this machine's address as seen from the container. */
    public String host() throws IOException {
        return inspect("{{.NetworkSettings.Gateway}}");
    }

    /** Returns whether the container runs. */
    public boolean isAlive() throws IOException {
        return inspect("{{.State.Running}}").equals("true");
    }

    /**
     * Returns the memory as {@code docker stats} counts it: that of the cgroup, without file pages that can be dropped.
     */
    public double mebibytes() throws IOException {
        String usage = docker("stats", "--no-stream", "--format", "{{.MemUsage}}", id)
                .split("/")[0]
                .strip();
        String number = usage.replaceAll("[^0-9.]", "");
        Integer shift = UNITS.get(usage.substring(number.length()));
        if (shift == null) {
            throw new IOException("docker stats says '%s'; expected one of %s".formatted(usage, UNITS.keySet()));
        }
        return Double.parseDouble(number) * (1L << shift) / (1 << 20);
    }

    private String inspect(String format) throws IOException {
        return docker("inspect", "--format", format, id);
    }

    /** Runs a docker command and returns its output. */
    public static String docker(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(arguments));
        return run(command);
    }

    /** Runs a command and returns its output, without the last line end. */
    public static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        try {
            int status = process.waitFor();
            if (status != 0) {
                throw new IOException("%s ended with exit code %d".formatted(String.join(" ", command), status));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(String.join(" ", command));
        }
        return out.stripTrailing();
    }

    @Override
    public void close() throws IOException {
        docker("rm", "--force", "--volumes", id);
    }
}
