package org.fleetgrad.benchmarks.footprint;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.fleetgrad.benchmarks.figures.Against;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Goal;
import org.fleetgrad.benchmarks.figures.Missing;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.process.Container;
import org.fleetgrad.benchmarks.process.DirectInvocation;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;

/**
 * Measures the worker's image as OpenWhisk runs it: the time from the start of a container, and from a warm activation,
 * to the first accepted gradient, and its memory during training. The worker fetches its shard over http and
 * authenticates with keys.
 */
public final class ContainerFootprint {

    private static final double COLD_LIMIT_MS = 3000;
    private static final double WARM_LIMIT_MS = 300;
    private static final double LIMIT_MIB = 200;
    private static final int SAMPLES = 10_000;
    private static final int EPOCHS = 6;
    private static final int LOOK_MS = 2;
    private static final Credentials WORKER = new Credentials("worker", "worker-secret");

    private final Workbench bench;

    /** Makes the measurement on this workbench. */
    public ContainerFootprint(Workbench bench) {
        this.bench = bench;
    }

    /** Returns times, memory and size, if there is Docker. */
    public List<Result> measure() throws Exception {
        try {
            Container.docker("version");
        } catch (IOException absent) {
            return List.of(Missing.skipped("container", "no Docker engine answers: start one"));
        }
        String built =
                Container.run(List.of(bench.home().resolve("docker/build").toString(), "worker"));
        String image = built.substring(0, built.indexOf(' '));
        Path shard = ShardSet.write(
                        bench.scratch("container"),
                        "digits",
                        SyntheticDigits.generate(SAMPLES, 1),
                        SyntheticDigits.generate(100, 2),
                        1)
                .train()
                .get(0);
        HttpServer store = store(shard);
        double[] cold = new double[bench.rounds()];
        double[] warm = new double[bench.rounds()];
        double[] mebibytes = new double[bench.rounds()];
        Programs.Server server = server();
        for (int round = 0; round < bench.rounds(); round++) {
            long begin = System.nanoTime();
            try (Container container = Container.start(image)) {
                Map<String, Object> value = value(container.host(), server, store);
                DirectInvocation.init(container);
                long before = server.client().version().version();
                CompletableFuture<Void> first = runAsync(container, value);
                cold[round] = millisToGradient(begin, server, before, first);
                first.join();
                before = server.client().version().version();
                begin = System.nanoTime();
                CompletableFuture<Void> second = runAsync(container, value);
                warm[round] = millisToGradient(begin, server, before, second);
                while (!second.isDone()) {
                    mebibytes[round] = Math.max(mebibytes[round], container.mebibytes());
                }
                second.join();
            }
        }
        Programs.end(server.process());
        store.stop(0);
        return List.of(
                limited("container-cold", "container start to first accepted gradient", "ms", cold, COLD_LIMIT_MS),
                limited("container-warm", "warm activation to first accepted gradient", "ms", warm, WARM_LIMIT_MS),
                limited("container-memory", "the worker's container while it trains", "MiB", mebibytes, LIMIT_MIB),
                new Figure(
                        "container-image",
                        "the worker's image",
                        "MB",
                        megabytes(image),
                        Against.limit(megabytes("eclipse-temurin:17-jre"), "its base image")));
    }

    private static Figure limited(String name, String what, String unit, double[] values, double limit) {
        return new Figure(name, what, unit, Figure.median(values), Against.limit(limit, "the design's limit"))
                .withGoal(Goal.atMost(limit));
    }

    private static double megabytes(String image) throws IOException {
        return Double.parseDouble(Container.docker("image", "inspect", "--format", "{{.Size}}", image)) / 1e6;
    }

    /** Starts a server that containers can reach. */
    private Programs.Server server() throws IOException {
        Programs.Server open = bench.programs()
                .launchServer(Map.of(
                        "SERVER_ADDRESS", "0.0.0.0",
                        "PS_SECURITY_KEYS_WORKER_ACCESSKEY", WORKER.accessKey(),
                        "PS_SECURITY_KEYS_WORKER_SECRETKEY", WORKER.secretKey()));
        Programs.Server server =
                new Programs.Server(open.address(), open.client().withCredentials(WORKER), open.process());
        Programs.putParameters(server);
        return server;
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

    private static Map<String, Object> value(String host, Programs.Server server, HttpServer store) {
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

    private static CompletableFuture<Void> runAsync(Container container, Map<String, Object> value) throws IOException {
        URI worker = container.address();
        return CompletableFuture.runAsync(() -> {
            try {
                DirectInvocation.run(worker, value);
            } catch (IOException | InterruptedException failed) {
                throw new CompletionException(failed);
            }
        });
    }

    private static double millisToGradient(long begin, Programs.Server server, long before, CompletableFuture<Void> run)
            throws IOException, InterruptedException {
        while (server.client().version().version() == before) {
            if (run.isCompletedExceptionally()) {
                run.join();
            }
            Thread.sleep(LOOK_MS);
        }
        return (System.nanoTime() - begin) / 1e6;
    }
}
