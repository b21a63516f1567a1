package org.fleetgrad.benchmarks.footprint;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.benchmarks.process.Container;
import org.fleetgrad.benchmarks.process.DirectInvocation;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.networks.Networks;

/** What a worker in a container trains with: a parameter server with keys, and a store with a shard, at addresses that it reaches. */
record ContainerSite(Programs.Server server, HttpServer store) implements AutoCloseable {

    private static final int SAMPLES = 10_000;
    private static final int EPOCHS = 6;
    private static final int LOOK_MS = 2;
    private static final Credentials WORKER = new Credentials("worker", "worker-secret");

    static ContainerSite open(Programs programs, Path folder) throws Exception {
        Path shard = ShardSet.write(
                        folder, "digits", SyntheticDigits.generate(SAMPLES, 1), SyntheticDigits.generate(100, 2), 1)
                .train()
                .get(0);
        Programs.Server open = programs.launchServer(Map.of(
                "SERVER_ADDRESS", "0.0.0.0",
                "PS_SECURITY_KEYS_WORKER_ACCESSKEY", WORKER.accessKey(),
                "PS_SECURITY_KEYS_WORKER_SECRETKEY", WORKER.secretKey()));
        Programs.Server server =
                new Programs.Server(open.address(), open.client().withCredentials(WORKER), open.process());
        server.putParameters(Networks.usual("lenet5"));
        return new ContainerSite(server, store(shard));
    }

    private static HttpServer store(Path shard) throws IOException {
        HttpServer store = HttpServer.create(new InetSocketAddress(0), 0);
        store.createContext("/", exchange -> {
            try (exchange) {
                byte[] bytes = Files.readAllBytes(shard);
                exchange.sendResponseHeaders(200, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
        store.start();
        return store;
    }

    /**
     * Starts a container, runs two activations and removes it.
     *
     * @param init the body of {@code /init}
     * @return milliseconds from the container's start to the first accepted gradient; milliseconds from the second activation's
     *     start to its first accepted gradient; the largest memory during the second activation, in MiB
     */
    double[] life(String image, String init) throws Exception {
        long begin = System.nanoTime();
        Container container = Container.start(image);
        try {
            Map<String, Object> value = value(container.host());
            DirectInvocation.init(container.address(), init, container::isAlive);
            long before = version();
            CompletableFuture<Void> first = DirectInvocation.start(container.address(), value);
            double cold = millisToGradient(begin, before, first);
            first.join();
            before = version();
            begin = System.nanoTime();
            CompletableFuture<Void> second = DirectInvocation.start(container.address(), value);
            double warm = millisToGradient(begin, before, second);
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

    private double millisToGradient(long begin, long before, CompletableFuture<Void> run)
            throws IOException, InterruptedException {
        while (version() == before) {
            if (run.isCompletedExceptionally()) {
                run.join();
            }
            Thread.sleep(LOOK_MS);
        }
        return (System.nanoTime() - begin) / 1e6;
    }

    private long version() throws IOException {
        return server.client().version().version();
    }

    /** Returns the parameters of an activation in a container that sees this machine as {@code host}. */
    private Map<String, Object> value(String host) {
        return Map.of(
                "batch_sz_train",
                32,
                "update_intv",
                1,
                "epoch_n",
                EPOCHS,
                "apihost",
                host + ":" + server.address().getPort(),
                "dataset_url",
                "http://%s:%d/shard".formatted(host, store.getAddress().getPort()),
                "access_key",
                WORKER.accessKey(),
                "secret_key",
                WORKER.secretKey());
    }

    @Override
    public void close() {
        server.process().destroy();
        server.process().onExit().join();
        store.stop(0);
    }
}
