package org.fleetgrad.benchmarks.footprint;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.benchmarks.process.DirectInvocation;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.training.RunRequest;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.runs.docker.Docker;
import org.fleetgrad.runs.shards.ShardServer;

/** What a worker in a container trains with: a server with keys, and a shard, at addresses that containers reach. */
record ContainerSite(Programs.Server server, String host, ShardServer store, URI shard) implements AutoCloseable {

    private static final int EPOCHS = 6;
    private static final Docker DOCKER = new Docker();
    private static final Map<String, Integer> UNITS = Map.of("B", 0, "KiB", 10, "MiB", 20, "GiB", 30);
    private static final Credentials WORKER = new Credentials("worker", "worker-secret");

    static ContainerSite open(Programs programs, Path folder) throws Exception {
        String host = DOCKER.hostAddress();
        Path shard = WorkerFootprint.shard(folder);
        ShardServer store = new ShardServer(folder, host);
        Programs.Server open = programs.launchServer(Map.of(
                "SERVER_ADDRESS", "0.0.0.0",
                "PS_SECURITY_KEYS_WORKER_ACCESSKEY", WORKER.accessKey(),
                "PS_SECURITY_KEYS_WORKER_SECRETKEY", WORKER.secretKey()));
        Programs.Server server =
                new Programs.Server(open.address(), open.client().withCredentials(WORKER), open.process());
        server.putParameters(Networks.usual("lenet5"));
        return new ContainerSite(server, host, store, store.url(String.valueOf(shard.getFileName())));
    }

    /**
     * Starts a container, runs two activations and removes it. Returns the milliseconds from the start, and from the
     * second activation, to the first accepted gradient, and the largest memory during the second activation, in MiB.
     *
     * @param init the body of {@code /init}
     */
    double[] life(String image, String init) throws Exception {
        long begin = System.nanoTime();
        String container =
                DOCKER.run(new Docker.Container(image, "256m", Optional.empty(), List.of(), Map.of(), List.of()));
        try {
            URI worker = URI.create("http://%s:8080".formatted(DOCKER.addressOf(container)));
            DirectInvocation.init(worker, init, () -> DOCKER.isRunning(container));
            RunRequest request = new RunRequest(
                    worker,
                    URI.create("http://%s:%d".formatted(host, server.address().getPort())),
                    shard,
                    EPOCHS,
                    Map.of("access_key", WORKER.accessKey(), "secret_key", WORKER.secretKey()));
            long before = version();
            CompletableFuture<Void> first = request.start();
            WorkerFootprint.awaitGradient(server, before, first);
            double cold = (System.nanoTime() - begin) / 1e6;
            first.join();
            before = version();
            begin = System.nanoTime();
            CompletableFuture<Void> second = request.start();
            WorkerFootprint.awaitGradient(server, before, second);
            double warm = (System.nanoTime() - begin) / 1e6;
            double mebibytes = 0;
            while (!second.isDone()) {
                mebibytes = Math.max(mebibytes, mebibytes(container));
            }
            second.join();
            return new double[] {cold, warm, mebibytes};
        } finally {
            DOCKER.remove(container);
        }
    }

    /** Returns the memory as {@code docker stats} counts it: without file pages that can be dropped. */
    private static double mebibytes(String container) throws IOException, InterruptedException {
        String usage = Programs.output("docker", "stats", "--no-stream", "--format", "{{.MemUsage}}", container)
                .split("/")[0]
                .strip();
        String number = usage.replaceAll("[^0-9.]", "");
        Integer shift = UNITS.get(usage.substring(number.length()));
        if (shift == null) {
            throw new IOException("docker stats says '%s'; expected one of %s".formatted(usage, UNITS.keySet()));
        }
        return Double.parseDouble(number) * (1L << shift) / (1 << 20);
    }

    private long version() throws IOException {
        return server.client().version().version();
    }

    @Override
    public void close() {
        server.process().destroy();
        server.process().onExit().join();
        store.close();
    }
}
