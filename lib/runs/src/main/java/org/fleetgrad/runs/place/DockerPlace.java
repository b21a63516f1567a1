package org.fleetgrad.runs.place;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.runs.device.RunGpus;
import org.fleetgrad.runs.docker.ContainerGroup;
import org.fleetgrad.runs.docker.Docker;
import org.fleetgrad.runs.docker.Docker.Container;
import org.fleetgrad.runs.docker.Docker.Mount;
import org.fleetgrad.runs.invoker.ActivationParameters;
import org.fleetgrad.runs.invoker.ContainerInvoker;
import org.fleetgrad.runs.invoker.Invoker;
import org.fleetgrad.runs.settings.InvokerSettings;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.start.StartWatch;

/**
 * Workers are containers of this machine's Docker. The server listens on this machine's address in the containers' network.
 * Any container there can reach it, so it requires keys, which are generated for the run.
 */
public final class DockerPlace implements WorkerPlace {

    private static final String SHARDS = "/shards";

    private final Docker docker;
    private final ContainerGroup containers;
    private final InvokerSettings.InDocker settings;
    private final RunGpus gpus;
    private final Path shards;
    private final String serverAddress;
    private final StartWatch watch;
    private final RunKeys keys = RunKeys.draw();

    private DockerPlace(
            Docker docker,
            InvokerSettings.InDocker settings,
            RunGpus gpus,
            Path shards,
            String serverAddress,
            StartWatch watch) {
        this.docker = docker;
        this.containers = new ContainerGroup(docker);
        this.settings = settings;
        this.gpus = gpus;
        this.shards = shards;
        this.serverAddress = serverAddress;
        this.watch = watch;
    }

    /**
     * Checks that the engine responds and has the image; builds the image if it is missing.
     *
     * @param gpus   of the workers; each container gets one of them
     * @param home   the checkout, with the script that builds the image
     * @param shards folder of the shards, which the containers may read
     * @param watch  waits for the containers
     */
    public static DockerPlace open(
            InvokerSettings.InDocker settings,
            RunGpus gpus,
            Path home,
            Path shards,
            StartWatch watch,
            Consumer<String> teller)
            throws IOException, InterruptedException {
        String target = gpus.ofWorker(0).isPresent() ? "gpu" : "worker";
        Docker docker = Docker.withImage(settings.image(), target, home, teller);
        return new DockerPlace(docker, settings, gpus, shards, docker.hostAddress(), watch);
    }

    @Override
    public String serverAddress() {
        return serverAddress;
    }

    @Override
    public Optional<RunKeys> keys() {
        return Optional.of(keys);
    }

    @Override
    public String shardUrl(Path shard) {
        return "file://%s/%s".formatted(SHARDS, shard.getFileName());
    }

    @Override
    public List<? extends Invoker> workers(RunSettings run, ServerAddresses servers) {
        Map<String, Object> value =
                ActivationParameters.of(run, servers, Optional.of(keys.worker()), run.shardsAnActivation());
        return IntStream.range(0, run.workers())
                .mapToObj(i -> new ContainerInvoker(
                        "worker-" + (i + 1), docker, containers, container(i, run), watch, settings.limit(), value))
                .toList();
    }

    /** A container sees its own GPU alone, which is its first. */
    private Container container(int worker, RunSettings run) {
        return new Container(
                settings.image(),
                Long.toString(settings.memoryBytes()),
                gpus.ofWorker(worker).map(RunGpus.Gpu::name),
                List.of(new Mount(shards, SHARDS)),
                run.network().devices().variables(),
                List.of());
    }

    @Override
    public void close() {
        containers.close();
    }
}
