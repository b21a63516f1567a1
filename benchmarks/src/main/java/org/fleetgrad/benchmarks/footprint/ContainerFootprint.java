package org.fleetgrad.benchmarks.footprint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.figures.Values;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.runs.process.Program;

/**
 * Measures the worker's image and the Java runtime with the worker's jar as OpenWhisk runs them: the time from the
 * start of a container, and from a warm activation, to the first accepted gradient, and the memory during training. The
 * worker fetches its shard over http and authenticates with keys. The two kinds take turns.
 */
public record ContainerFootprint(Workbench bench) {

    private static final double COLD_LIMIT_MS = 3000;
    private static final double WARM_LIMIT_MS = 300;
    private static final double LIMIT_MIB = 200;
    private static final double JAVA_RATIO = 1.3;
    private static final String INIT = "{\"value\":{}}";
    private static final String DESIGN = "the design's limit";
    private static final String IMAGE = "the worker's image";

    public List<Result> measure() throws Exception {
        try {
            Programs.output("docker", "version");
        } catch (IOException absent) {
            return List.of(Missing.skipped("container", "no Docker engine responds: start one"));
        }
        String docker = built("worker");
        String java = built("java-runtime");
        String init = initOfTheJar();
        try (ContainerSite site = ContainerSite.open(bench.programs(), bench.scratch("container"))) {
            return figures(
                    docker,
                    java,
                    bench.compareAll(
                            List.of(docker, java), image -> site.life(image, image.equals(java) ? init : INIT)));
        }
    }

    private static List<Result> figures(String docker, String java, Comparison<String> lives)
            throws IOException, InterruptedException {
        Values cold = lives.of(docker, 0);
        Values warm = lives.of(docker, 1);
        Values mebibytes = lives.of(docker, 2);
        return List.of(
                limited("container-cold", "container start to first accepted gradient", "ms", cold, COLD_LIMIT_MS),
                limited("container-warm", "warm activation to first accepted gradient", "ms", warm, WARM_LIMIT_MS),
                limited("container-memory", "the worker's container while it trains", "MiB", mebibytes, LIMIT_MIB),
                Figure.of("container-image", IMAGE)
                        .ours(megabytes(docker), "MB")
                        .limit(megabytes("eclipse-temurin:17-jre"), "its base image"),
                Figure.of("container-java-cold", "the Java runtime's start, with the worker's jar")
                        .ours(lives.of(java, 0), "ms")
                        .limit(cold, IMAGE)
                        .ratioAtMost(JAVA_RATIO),
                Figure.of("container-java-warm", "warm activation in the Java runtime")
                        .ours(lives.of(java, 1), "ms")
                        .limit(warm, IMAGE),
                Figure.of("container-java-memory", "the Java runtime's container while it trains")
                        .ours(lives.of(java, 2), "MiB")
                        .limit(mebibytes, IMAGE));
    }

    private static String built(String image) throws IOException, InterruptedException {
        String line = Programs.output(Programs.HOME.resolve("docker/build").toString(), image);
        return line.substring(0, line.indexOf(' '));
    }

    /** Returns the body with which OpenWhisk gives a runtime the jar. */
    private static String initOfTheJar() throws IOException {
        Path jar = Program.WORKER_ACTION.jar(Programs.HOME).resolveSibling("worker-action-openwhisk.jar");
        return "{\"value\":{\"name\":\"train\",\"main\":\"org.fleetgrad.worker.openwhisk.Main\",\"binary\":true,\"code\":\"%s\"}}"
                .formatted(Base64.getEncoder().encodeToString(Files.readAllBytes(jar)));
    }

    private static Figure limited(String name, String what, String unit, Values value, double limit) {
        return Figure.of(name, what).ours(value, unit).limit(limit, DESIGN).atMost(limit);
    }

    private static double megabytes(String image) throws IOException, InterruptedException {
        return Double.parseDouble(Programs.output("docker", "image", "inspect", "--format", "{{.Size}}", image)) / 1e6;
    }
}
