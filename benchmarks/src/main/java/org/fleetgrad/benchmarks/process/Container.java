package org.fleetgrad.benchmarks.process;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.fleetgrad.runs.docker.Docker;

/** A container of an action of 256 MB, with OpenWhisk's flags. */
public record Container(String id) {

    private static final Docker DOCKER = new Docker();
    private static final Map<String, Integer> UNITS = Map.of("B", 0, "KiB", 10, "MiB", 20, "GiB", 30);

    /** Starts a container without waiting for its worker. */
    public static Container start(String image) throws IOException, InterruptedException {
        return new Container(DOCKER.run(new Docker.Container(image, "256m", List.of(), Map.of(), List.of())));
    }

    public URI address() throws IOException, InterruptedException {
        return URI.create("http://%s:8080".formatted(DOCKER.addressOf(id)));
    }

    public boolean isAlive() throws IOException, InterruptedException {
        return DOCKER.isRunning(id);
    }

    /**
     * Returns the memory as {@code docker stats} counts it: that of the cgroup, without file pages that can be dropped.
     */
    public double mebibytes() throws IOException, InterruptedException {
        String usage = Programs.output("docker", "stats", "--no-stream", "--format", "{{.MemUsage}}", id)
                .split("/")[0]
                .strip();
        String number = usage.replaceAll("[^0-9.]", "");
        Integer shift = UNITS.get(usage.substring(number.length()));
        if (shift == null) {
            throw new IOException("docker stats says '%s'; expected one of %s".formatted(usage, UNITS.keySet()));
        }
        return Double.parseDouble(number) * (1L << shift) / (1 << 20);
    }

    public void remove() throws IOException, InterruptedException {
        DOCKER.remove(id);
    }
}
