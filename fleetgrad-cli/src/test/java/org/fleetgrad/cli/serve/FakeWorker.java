package org.fleetgrad.cli.serve;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.protocol.messages.StatusReply;

/** A worker that answers each prediction with the same class, or hangs. */
final class FakeWorker implements AutoCloseable {

    private final String id;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch isClosed = new CountDownLatch(1);
    private volatile boolean isHanging;
    private volatile int status = 200;
    private volatile String body;
    private final AtomicInteger requests = new AtomicInteger();

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
            exchange.getRequestBody().readAllBytes();
            requests.incrementAndGet();
            if (isHanging) {
                awaitEnd();
            }
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    private void awaitEnd() {
        try {
            isClosed.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    StatusReply.Worker listed() {
        return MembersTest.worker(id, "http://127.0.0.1:" + server.getAddress().getPort());
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
