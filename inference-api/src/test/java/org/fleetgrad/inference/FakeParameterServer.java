package org.fleetgrad.inference;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.AccuracyReply;
import org.fleetgrad.protocol.messages.PutAccuracyRequest;
import org.fleetgrad.protocol.messages.VersionReply;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.Exchange;
import org.fleetgrad.testing.OpenApiContract;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The part of a parameter server that an inference service uses, over real HTTP. Every exchange is checked against the
 * contract.
 */
final class FakeParameterServer implements AutoCloseable {

    private static final Pattern LONG_POLL = Pattern.compile("after=(\\d+)&waitMs=(\\d+)");
    private static final String JSON = "application/json";

    private final OpenApiContract contract;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final JsonMapper json = JsonMapper.builder()
            .changeDefaultPropertyInclusion(ignored -> JsonInclude.Value.ALL_NON_NULL)
            .build();
    private final List<Throwable> violations = new CopyOnWriteArrayList<>();
    private final List<PutAccuracyRequest> accuracies = new CopyOnWriteArrayList<>();

    private @Nullable ParameterVersion version;
    private byte[] body = {};

    FakeParameterServer(OpenApiContract contract, int port) throws IOException {
        this.contract = contract;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext(Routes.GET_PARAMETER, exchange -> handle(exchange, this::getParameter));
        server.createContext(Routes.GET_VERSION, exchange -> handle(exchange, this::getVersion));
        server.createContext(Routes.PUT_ACCURACY, exchange -> handle(exchange, this::putAccuracy));
        server.setExecutor(threads);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Makes a parameter set the newest and wakes waiting requests. */
    synchronized void publish(ParameterVersion next, TensorLayout layout, float[] values, Map<String, String> more) {
        Map<String, String> metadata = new LinkedHashMap<>(more);
        metadata.put(ParameterVersion.GENERATION_KEY, next.generation());
        metadata.put(ParameterVersion.VERSION_KEY, Long.toString(next.version()));
        ByteBuffer encoded = Safetensors.encode(TensorSet.ofFloats(layout, values, metadata));
        body = new byte[encoded.remaining()];
        encoded.get(body);
        version = next;
        notifyAll();
    }

    /** Returns the report for a version. */
    Optional<PutAccuracyRequest> accuracyOf(ParameterVersion evaluated) {
        return accuracies.stream()
                .filter(report -> new ParameterVersion(
                                String.valueOf(report.generation()), Objects.requireNonNull(report.version()))
                        .equals(evaluated))
                .findFirst();
    }

    /** Returns every violation of the contract. */
    List<Throwable> violations() {
        return violations;
    }

    private synchronized Answer getParameter(HttpExchange exchange) throws InterruptedException {
        String known = exchange.getRequestHeaders().getFirst("If-None-Match");
        Matcher poll = LONG_POLL.matcher(String.valueOf(exchange.getRequestURI().getQuery()));
        long end = System.nanoTime() + (poll.matches() ? Long.parseLong(poll.group(2)) * 1_000_000 : 0);
        while (version != null && version.etag().equals(known) && System.nanoTime() < end) {
            wait(50);
        }
        if (version == null) {
            return problem(404, "no-parameters");
        }
        if (version.etag().equals(known)) {
            return new Answer(304, Map.of(), new byte[0]);
        }
        return new Answer(
                200,
                Map.of(
                        "Content-Type",
                        HeaderNames.SAFETENSORS,
                        "ETag",
                        version.etag(),
                        "Cache-Control",
                        "no-cache",
                        HeaderNames.VERSION,
                        Long.toString(version.version()),
                        HeaderNames.GENERATION,
                        version.generation()),
                body);
    }

    private synchronized Answer getVersion(HttpExchange exchange) {
        PutAccuracyRequest last = accuracies.isEmpty() ? null : accuracies.get(accuracies.size() - 1);
        return json(new VersionReply(
                200,
                version == null ? 0 : version.version(),
                last == null ? null : last.accuracy(),
                last == null ? null : last.version(),
                version == null ? "none" : version.generation(),
                version != null));
    }

    private Answer putAccuracy(HttpExchange exchange) throws IOException {
        PutAccuracyRequest report = json.readValue(exchange.getRequestBody().readAllBytes(), PutAccuracyRequest.class);
        synchronized (this) {
            if (version == null || !version.generation().equals(report.generation())) {
                return problem(409, "other-generation");
            }
        }
        accuracies.add(report);
        return json(new AccuracyReply(
                200,
                report.accuracy(),
                report.loss(),
                report.version(),
                report.samples(),
                String.valueOf(report.generation()),
                report.accuracy()));
    }

    private Answer json(Object reply) {
        return new Answer(200, Map.of("Content-Type", JSON), json.writeValueAsBytes(reply));
    }

    private static Answer problem(int status, String rule) {
        String problem =
                "{\"type\":\"urn:fleetgrad:problem:%s\",\"title\":\"%s\",\"status\":%d,\"code\":%d,\"detail\":\"d\"}"
                        .formatted(rule, rule, status, status);
        return new Answer(
                status, Map.of("Content-Type", HeaderNames.PROBLEM_JSON), problem.getBytes(StandardCharsets.UTF_8));
    }

    private record Answer(int status, Map<String, String> headers, byte[] body) {}

    @FunctionalInterface
    private interface Route {
        Answer answer(HttpExchange exchange) throws IOException, InterruptedException;
    }

    private void handle(HttpExchange exchange, Route route) throws IOException {
        try (exchange) {
            byte[] request = exchange.getRequestBody().readAllBytes();
            exchange.setStreams(new ByteArrayInputStream(request), null);
            Answer answer = route.answer(exchange);
            check(exchange, request, answer);
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void check(HttpExchange exchange, byte[] request, Answer answer) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        answer.headers().forEach((name, value) -> headers.put(name, List.of(value)));
        try {
            contract.check(new Exchange(
                    exchange.getRequestMethod(),
                    uri().resolve(exchange.getRequestURI()),
                    exchange.getRequestHeaders(),
                    ByteBuffer.wrap(request),
                    answer.status(),
                    headers,
                    ByteBuffer.wrap(answer.body())));
        } catch (AssertionError violation) {
            violations.add(violation);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
