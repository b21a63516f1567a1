package org.fleetgrad.benchmarks.footprint;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.benchmarks.process.Container;
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
    private static final Credentials WORKER = new Credentials("worker", "worker-secret");

    static ContainerSite open(Programs programs, Path folder) throws Exception {
        String host = new Docker().hostAddress();
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
        Container container = Container.start(image);
        try {
            DirectInvocation.init(container.address(), init, container::isAlive);
            RunRequest request = new RunRequest(
                    container.address(),
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
                mebibytes = Math.max(mebibytes, container.mebibytes());
            }
            second.join();
            return new double[] {cold, warm, mebibytes};
        } finally {
            container.remove();
        }
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
