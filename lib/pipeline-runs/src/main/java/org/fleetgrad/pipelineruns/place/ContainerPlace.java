package org.fleetgrad.pipelineruns.place;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.pipelineruns.place.HostPlace.StageHost;
import org.fleetgrad.runs.docker.ContainerGroup;
import org.fleetgrad.runs.docker.Docker;
import org.fleetgrad.runs.docker.Docker.Container;
import org.fleetgrad.runs.docker.Docker.Mount;
import org.fleetgrad.runs.docker.StartingContainer;
import org.fleetgrad.runs.process.Program;
import org.fleetgrad.runs.start.Starting;

/**
 * Programs of stages are containers of this machine's Docker, each with a memory limit. They listen on their addresses in
 * the containers' network, where the run's token keeps untrusted clients out.
 */
public final class ContainerPlace implements HostPlace {

    private static final String SHARDS = "/shards";
    private static final String FLUSHES = "/flushes";
    private static final String ANY = "0.0.0.0";
    private static final long LOOK_MS = 100;

    private final Docker docker;
    private final ContainerGroup containers;
    private final String image;
    private final long memoryBytes;
    private final Path shards;
    private final Path flushes;
    private final String driverAddress;

    private ContainerPlace(
            Docker docker, String image, long memoryBytes, Path shards, Path flushes, String driverAddress) {
        this.docker = docker;
        this.containers = new ContainerGroup(docker);
        this.image = image;
        this.memoryBytes = memoryBytes;
        this.shards = shards;
        this.flushes = flushes;
        this.driverAddress = driverAddress;
    }

    /**
     * Checks that the engine responds and has the image; builds the image if it is missing.
     *
     * @param home    the checkout, with the script that builds the image
     * @param shards  folder that containers may read
     * @param flushes folder that containers may write to
     */
    public static ContainerPlace open(
            String image, long memoryBytes, Path home, Path shards, Path flushes, Consumer<String> teller)
            throws IOException, InterruptedException {
        Docker docker = Docker.withImage(image, "worker", home, teller);
        return new ContainerPlace(docker, image, memoryBytes, shards, flushes, docker.hostAddress());
    }

    @Override
    public String driverAddress() {
        return driverAddress;
    }

    @Override
    public StageHost start(StageProgramPlan plan) throws IOException, InterruptedException {
        Container container = new Container(
                image,
                Long.toString(memoryBytes),
                Optional.empty(),
                List.of(new Mount(shards, SHARDS), Mount.writable(flushes, FLUSHES)),
                environment(plan),
                plan.arguments(ANY));
        return new ContainerHost(plan.stages(), plan.name(), containers.start(container));
    }

    private static Map<String, String> environment(StageProgramPlan plan) {
        Map<String, String> environment = new HashMap<>(plan.environment());
        // The image's own flags give the heap a quarter of the memory; a stage's plan is exact.
        environment.put("JDK_JAVA_OPTIONS", "-Xmx%dm %s".formatted(plan.heapBytes() >> 20, Program.SHARED_CLASSES));
        return environment;
    }

    @Override
    public String shard(Path file) {
        return "file://%s/%s".formatted(SHARDS, file.getFileName());
    }

    @Override
    public String flush(Path path) {
        Path inside = flushes.relativize(path);
        return inside.toString().isEmpty() ? FLUSHES : "%s/%s".formatted(FLUSHES, inside);
    }

    @Override
    public void close() {
        containers.close();
    }

    private final class ContainerHost implements StageHost {

        private final List<Integer> stages;
        private final Starting starting;
        private final String id;

        ContainerHost(List<Integer> stages, String name, String id) {
            this.stages = stages;
            this.starting = new StartingContainer(name, docker, id);
            this.id = id;
        }

        @Override
        public List<Integer> stages() {
            return stages;
        }

        @Override
        public Starting starting() {
            return starting;
        }

        @Override
        public boolean hasEnded(Duration patience) throws IOException, InterruptedException {
            long end = System.nanoTime() + patience.toNanos();
            while (docker.isRunning(id)) {
                if (System.nanoTime() >= end) {
                    return false;
                }
                Thread.sleep(LOOK_MS);
            }
            return true;
        }

        @Override
        public String describeEnd() throws IOException, InterruptedException {
            return "exit %s; its last output: %s".formatted(docker.end(id), docker.lastWords(id));
        }

        @Override
        public void end() throws IOException, InterruptedException {
            containers.remove(id);
        }
    }
}
