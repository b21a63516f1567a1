package org.fleetgrad.tools.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** As much of a parameter server as takes work: it says yes, unless a test has it answer something else first. */
final class FakeParameterServer implements AutoCloseable {

    private record Answer(int status, String type, String body, String detail) {}

    private final HttpServer server;
    private final List<JsonNode> works = new CopyOnWriteArrayList<>();
    private final Deque<Answer> answers = new ArrayDeque<>();

    FakeParameterServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/putWork", this::handle);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Has the next request answered with a problem. */
    synchronized FakeParameterServer refuse(int status, String rule, String detail) {
        answers.add(new Answer(
                status,
                "application/problem+json",
                "{\"type\":\"https://fleetgrad.org/problems/%s\",\"title\":\"%s\",\"status\":%d,\"code\":%d,\"detail\":\"%s\"}"
                        .formatted(rule, rule, status, status, detail),
                detail));
        return this;
    }

    /** Every work that was put and taken. */
    List<JsonNode> works() {
        return works;
    }

    private synchronized void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode work =
                    JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes());
            Answer answer = answers.isEmpty() ? taken(work) : answers.remove();
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            if (answer.status() == 401) {
                // Its body does not survive the JDK's client; as the real server does, the detail is in the head too.
                exchange.getResponseHeaders()
                        .set(
                                "WWW-Authenticate",
                                "Bearer error=\"invalid_token\", error_description=\"%s\"".formatted(answer.detail()));
            }
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Answer taken(JsonNode work) {
        long samples = 0;
        for (JsonNode shard : work.get("shards")) {
            samples += shard.get("samples").longValue();
        }
        String body = "{\"code\":200,\"created\":%b,\"shards\":%d,\"samples\":%d}"
                .formatted(works.isEmpty(), work.get("shards").size(), samples);
        works.add(work);
        return new Answer(200, "application/json", body, "");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
