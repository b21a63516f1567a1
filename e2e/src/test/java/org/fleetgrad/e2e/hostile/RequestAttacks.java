package org.fleetgrad.e2e.hostile;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Requests that are larger than they look, or more than anybody needs. */
final class RequestAttacks {

    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final int FIRST_ERROR = 400;
    private static final int REGISTRATIONS = 20_000;
    private static final int THREADS = 8;
    private static final String HOST = "Host: 127.0.0.1\r\n";
    private static final String JSON = "application/json";
    private static final String SAFETENSORS = "application/vnd.safetensors";

    private RequestAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack("a parameter set that claims 900 MB", RequestAttacks::claim),
                new Attack("endless chunks", RequestAttacks::endlessChunks),
                new Attack("endless headers", RequestAttacks::endlessHeaders),
                new Attack("two lengths", RequestAttacks::twoLengths),
                new Attack("a compressed bomb", RequestAttacks::compressed),
                new Attack("deep and wide JSON", RequestAttacks::deepJson),
                new Attack("a flood of registrations", RequestAttacks::registrations),
                new Attack("images that claim billions of pixels", site -> images(site, Bombs.claims())),
                new Attack("images of the most pixels", site -> images(site, Bombs.white(1024, 1024))),
                new Attack("images of more pixels", site -> images(site, Bombs.white(2048, 2048))),
                new Attack("lines of pixels", site -> images(site, Bombs.white(1, 1 << 20))));
    }

    /** 235 bytes of a role that may put parameters, and of one that may not. */
    private static long claim(Site site) throws IOException, InterruptedException {
        String header = "{\"a\":{\"dtype\":\"F32\",\"shape\":[225000000],\"data_offsets\":[0,900000000]}}";
        byte[] first = ByteBuffer.allocate(8 + header.length())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(header.length())
                .put(header.getBytes(StandardCharsets.UTF_8))
                .array();
        long refused = 0;
        for (String role : List.of("operator", "worker", "reader")) {
            for (String condition : List.of("If-None-Match: *", "If-Match: *")) {
                String head =
                        "PUT /putParameter HTTP/1.1\r\n%sAuthorization: %s\r\n%s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                                .formatted(
                                        HOST,
                                        site.authorization(role),
                                        condition,
                                        SAFETENSORS,
                                        first.length + 900_000_000L);
                try (Crowd crowd =
                        Crowd.of(4, site.server(), wire -> wire.send(head).send(first))) {
                    site.workers().goOnFor(500);
                    refused += crowd.refused();
                }
            }
        }
        return refused;
    }

    private static long endlessChunks(Site site) throws IOException {
        long refused = 0;
        for (URI service : List.of(site.server(), site.answers())) {
            for (String path : List.of("/issueToken", "/registerWorker", "/predict", "/putGradient")) {
                String head =
                        "POST %s HTTP/1.1\r\n%sAuthorization: %s\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                                .formatted(path, HOST, site.authorization("operator"));
                refused += endless(service, head, "4000\r\n" + "[".repeat(0x4000) + "\r\n") ? 1 : 0;
            }
        }
        return refused;
    }

    /** Sends up to 64 MiB in pieces, and tells whether the service had enough before. */
    private static boolean endless(URI service, String head, String piece) throws IOException {
        try (Wire wire = Wire.open(service)) {
            wire.send(head);
            for (int sent = 0; sent < 64 << 20; sent += piece.length()) {
                wire.send(piece);
            }
            return wire.isRefused(TIMEOUT);
        } catch (IOException closed) {
            return true;
        }
    }

    private static long endlessHeaders(Site site) throws IOException {
        long refused = 0;
        for (URI service : List.of(site.server(), site.answers())) {
            refused += endless(service, "GET /status HTTP/1.1\r\n" + HOST, "X-A: " + "b".repeat(4000) + "\r\n") ? 1 : 0;
            refused += endless(service, "GET /status?", "a".repeat(4000)) ? 1 : 0;
        }
        return refused;
    }

    private static long twoLengths(Site site) {
        String request =
                "POST /issueToken HTTP/1.1\r\n%sContent-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n"
                        .formatted(HOST);
        try (Crowd crowd = Crowd.of(20, site.server(), wire -> wire.send(request + "{}"));
                Crowd other = Crowd.of(20, site.answers(), wire -> wire.send(request + "{}"))) {
            return refusedIn(site, crowd, other);
        }
    }

    private static long refusedIn(Site site, Crowd... crowds) {
        try {
            site.workers().goOnFor(1000);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        long refused = 0;
        for (Crowd crowd : crowds) {
            refused += crowd.refused();
        }
        return refused;
    }

    private static long compressed(Site site) throws IOException, InterruptedException {
        byte[] bomb = Bombs.gzip(64 << 20);
        String token = site.authorization("operator");
        return refused(
                8,
                i -> HttpRequest.newBuilder((i % 2 == 0 ? site.server() : site.answers())
                                .resolve(i % 4 < 2 ? "/issueToken" : "/predict"))
                        .header("Authorization", token)
                        .header("Content-Type", JSON)
                        .header("Content-Encoding", "gzip")
                        .POST(BodyPublishers.ofByteArray(bomb)),
                site);
    }

    private static long deepJson(Site site) throws IOException, InterruptedException {
        String token = site.authorization("operator");
        List<String> bodies = List.of(
                "[".repeat(60_000),
                "{\"id\":".repeat(10_000),
                "{\"image\":" + "[".repeat(500_000),
                "{\"image\":[" + "1e308,".repeat(150_000) + "1]}",
                "{\"image\":[" + "9".repeat(900_000) + "]}",
                "{\"inputs\":[{\"name\":\"input\",\"datatype\":\"UINT8\",\"shape\":[4611686018427387904,4611686018427387904,2,2],\"data\":[1]}]}");
        List<String> paths =
                List.of("/registerWorker", "/issueToken", "/predict", "/v2/models/fleetgrad/infer", "/putWork");
        int count = bodies.size() * paths.size();
        return refused(
                2 * count,
                i -> {
                    String path = paths.get(i % paths.size());
                    HttpRequest.Builder request = HttpRequest.newBuilder(
                                    (i < count ? site.server() : site.answers()).resolve(path))
                            .header("Authorization", token)
                            .header("Content-Type", JSON);
                    String body = bodies.get(i / paths.size() % bodies.size());
                    return path.equals("/putWork")
                            ? request.PUT(BodyPublishers.ofString(body))
                            : request.POST(BodyPublishers.ofString(body));
                },
                site);
    }

    private static long registrations(Site site) throws InterruptedException {
        URI register = site.server().resolve("/registerWorker");
        return refused(
                REGISTRATIONS,
                i -> HttpRequest.newBuilder(register)
                        .header("Content-Type", JSON)
                        .POST(BodyPublishers.ofString(
                                "{\"id\":\"flood-%d\",\"accessKey\":\"worker\",\"secretKey\":\"%s\"}"
                                        .formatted(i, Site.secret("worker")))),
                site);
    }

    private static long images(Site site, byte[] png) throws IOException, InterruptedException {
        String token = site.authorization("reader");
        return refused(
                200,
                i -> HttpRequest.newBuilder(site.answers().resolve("/predict"))
                        .header("Authorization", token)
                        .header("Content-Type", "image/png")
                        .POST(BodyPublishers.ofByteArray(png)),
                site);
    }

    /** Sends requests from a few threads, and returns how many were refused. */
    static long refused(int count, IntFunction<HttpRequest.Builder> requests, Site site) throws InterruptedException {
        AtomicLong next = new AtomicLong();
        AtomicLong refused = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        IntStream.range(0, THREADS)
                .forEach(ignored -> threads.add(new Thread(() -> {
                    try {
                        for (int i = (int) next.getAndIncrement(); i < count; i = (int) next.getAndIncrement()) {
                            int status = site.status(requests.apply(i));
                            if (status == 0 || status >= FIRST_ERROR) {
                                refused.incrementAndGet();
                            }
                        }
                    } catch (InterruptedException stopping) {
                        Thread.currentThread().interrupt();
                    }
                })));
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        return refused.get();
    }
}
