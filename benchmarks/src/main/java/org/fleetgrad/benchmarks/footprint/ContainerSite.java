package org.fleetgrad.benchmarks.footprint;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;

/** What a worker in a container trains with: a parameter server with keys, and a store with a shard, at addresses that it reaches. */
record ContainerSite(Programs.Server server, HttpServer store) implements AutoCloseable {

    private static final int SAMPLES = 10_000;
    private static final int EPOCHS = 6;
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
        Programs.putParameters(server);
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

    /** Returns the version of the parameters. */
    long version() throws IOException {
        return server.client().version().version();
    }

    /** Returns the parameters of an activation in a container that sees this machine as {@code host}. */
    Map<String, Object> value(String host) {
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
