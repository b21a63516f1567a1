package org.fleetgrad.e2e.container;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.e2e.JarProcess;
import org.fleetgrad.testing.FreePorts;

/** The services that a worker's container needs: a parameter server with keys, and a store of shards over http. */
public final class TrainingSite implements AutoCloseable {

    /** An {@code /init} with a worker's keys, as OpenWhisk passes parameters that are stored with {@code init}. */
    public static final String INIT = """
            {"value":{"name":"rec","binary":false,"main":"main","env":{\
            "FLEETGRAD_ACCESS_KEY":"worker","FLEETGRAD_SECRET_KEY":"worker-secret","FLEETGRAD_TRUST":"",\
            "__OW_ACTION_NAME":"/guest/rec"}}}""";

    private final Path folder;
    private final String host;
    private final int port;
    private final HttpServer store;
    private final JarProcess process;
    private final PsClient server;

    /** Starts both on this machine's address for containers. */
    public TrainingSite(Path folder, String host) throws IOException {
        this.folder = folder;
        this.host = host;
        this.port = FreePorts.next();
        this.store = HttpServer.create(new InetSocketAddress(host, 0), 0);
        store.createContext("/", this::serve);
        store.start();
        this.process = JarProcess.start(
                "ps-service",
                folder.resolve("ps-service.log"),
                Map.of(
                        "SERVER_ADDRESS", host,
                        "SERVER_PORT", Integer.toString(port),
                        "PS_SECURITY_KEYS_WORKER_ACCESSKEY", "worker",
                        "PS_SECURITY_KEYS_WORKER_SECRETKEY", "worker-secret",
                        "PS_SECURITY_KEYS_READER_ACCESSKEY", "reader",
                        "PS_SECURITY_KEYS_READER_SECRETKEY", "reader-secret"));
        this.server = new PsClient(URI.create("http://" + address()), ClientOptions.DEFAULT)
                .withCredentials(new Credentials("reader", "reader-secret"));
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] shard = Files.readAllBytes(
                    folder.resolve(exchange.getRequestURI().getPath().substring(1)));
            exchange.sendResponseHeaders(200, shard.length);
            exchange.getResponseBody().write(shard);
        }
    }

    /** Returns the parameter server's address for a container, in the original's form: host and port only. */
    String address() {
        return host + ":" + port;
    }

    /** Returns a client for reading. */
    public PsClient server() {
        return server;
    }

    /** Puts a shard of generated digits into the store and returns its address, which ends with a secret. */
    String shard(int samples) throws IOException {
        return put("digits-" + samples, SyntheticDigits.generate(samples, samples));
    }

    /** Puts a shard of black images into the store: small when compressed, large in a worker. */
    String blankShard(int samples) throws IOException {
        return put("blank-" + samples, new ImageSamples(1, 28, 28, new byte[samples * 28 * 28], new byte[samples]));
    }

    private String put(String name, ImageSamples samples) throws IOException {
        Path shard = ShardSet.write(folder.resolve(name), "digits", samples, SyntheticDigits.generate(10, 2), 1)
                .train()
                .get(0);
        return "http://%s:%d/%s?X-Amz-Signature=secret"
                .formatted(host, store.getAddress().getPort(), folder.relativize(shard));
    }

    /** Returns the value of a {@code /run} that trains on a shard for some epochs, with a push for each batch of 32. */
    public String value(String shard, int epochs) {
        return """
                {"batch_sz_train":32,"update_intv":1,"epoch_n":%d,"apihost":"%s","dataset_url":"%s"}""".formatted(epochs, address(), shard);
    }

    @Override
    public void close() {
        store.stop(0);
        try {
            process.kill();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
