package org.fleetgrad.ensemble;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;

/** A worker that predicts the same class for every request, or hangs. */
final class FakeWorker implements AutoCloseable {

    private static final String TOKEN = "token-of-a-fake";

    private final String id;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch isClosed = new CountDownLatch(1);
    private volatile boolean isHanging;
    private volatile int status = 200;
    private volatile String body;
    private volatile String secretKey = "";
    private final AtomicInteger requests = new AtomicInteger();
    private final List<String> bodies = new CopyOnWriteArrayList<>();

    FakeWorker(String id, int answer, long version) throws IOException {
        this(id, answer, version, "tiny?classes=3&input=1x1x1");
    }

    FakeWorker(String id, int answer, long version, String network) throws IOException {
        this.id = id;
        double[] probabilities = {0.1, 0.1, 0.1};
        probabilities[answer] = 0.8;
        this.body = """
                {"code":200,"predictions":[{"label":"class %d","class":%d,"probabilities":[%s,%s,%s]}],
                 "version":%d,"generation":"g","accuracy":0.5,"accuracyVersion":%d,"network":"%s","mode":"interleaved"}""".formatted(
                answer, answer, probabilities[0], probabilities[1], probabilities[2], version, version, network);
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/predict", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            requests.incrementAndGet();
            String token = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
            if (!secretKey.isEmpty() && !token.equals("Bearer " + TOKEN)) {
                answer(exchange, 401, "{\"status\":401,\"code\":401,\"detail\":\"no token\"}");
                return;
            }
            if (isHanging) {
                awaitEnd();
            }
            answer(exchange, status, body);
        });
        server.createContext("/issueToken", exchange -> {
            String keys = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (secretKey.isEmpty()) {
                answer(
                        exchange,
                        409,
                        "{\"type\":\"urn:fleetgrad:problem:security-off\",\"status\":409,\"code\":409,\"detail\":\"off\"}");
            } else if (keys.contains(secretKey)) {
                answer(
                        exchange,
                        200,
                        "{\"code\":200,\"token\":\"%s\",\"role\":\"reader\",\"expiresMs\":900000}".formatted(TOKEN));
            } else {
                answer(
                        exchange,
                        401,
                        "{\"type\":\"urn:fleetgrad:problem:unauthenticated\",\"status\":401,\"code\":401,\"detail\":\"no role\"}");
            }
        });
        server.start();
    }

    /** Answers with a prediction of another kind, such as {@code {"target":"price","value":5}}, from now on. */
    FakeWorker predicting(String prediction, String more) {
        body = body.replaceFirst("\\{\"label.*?\\}", prediction).replaceFirst("\\}$", more + "}");
        return this;
    }

    /** Returns the bodies of the requests so far. */
    List<String> bodies() {
        return List.copyOf(bodies);
    }

    private static void answer(HttpExchange exchange, int with, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", with < 400 ? "application/json" : "application/problem+json");
        exchange.sendResponseHeaders(with, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private void awaitEnd() {
        try {
            isClosed.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    StatusReply.Worker listed() {
        return EnsembleMembersTest.worker(
                id, "http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Requires a token from now on, which it issues for the secret key. */
    FakeWorker asking(String secret) {
        secretKey = secret;
        return this;
    }

    FakeWorker hang() {
        isHanging = true;
        return this;
    }

    FakeWorker refuse(int with, String problem) {
        status = with;
        body = problem;
        return this;
    }

    int requests() {
        return requests.get();
    }

    @Override
    public void close() {
        isClosed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
