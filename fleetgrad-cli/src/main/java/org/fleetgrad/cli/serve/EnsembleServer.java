package org.fleetgrad.cli.serve;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemRules;
import org.fleetgrad.protocol.ProblemTitles;
import org.fleetgrad.protocol.messages.Problem;
import tools.jackson.databind.json.JsonMapper;

/**
 * The ensemble over HTTP: {@code POST /predict} and {@code GET /status}. It computes nothing itself: a body goes to the members
 * as it came.
 */
final class EnsembleServer implements AutoCloseable {

    static {
        // Otherwise the JDK's server sends head and body in two segments, and the second waits 40 ms for an
        // acknowledgement.
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
    }

    private static final int THREADS = 64;
    private static final int LARGEST_BODY = 1 << 20;
    private static final long LOOK_MS = 500;
    private static final String JSON_TYPE = "application/json";

    private final Members members;
    private final Questions questions;
    private final Ensemble ensemble;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, EnsembleServer::daemon);
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(EnsembleServer::daemon);
    private final JsonMapper json = JsonMapper.builder()
            .changeDefaultPropertyInclusion(ignored -> JsonInclude.Value.ALL_NON_NULL)
            .build();

    private record Answer(int status, String type, byte[] body) {}

    /** Asks the parameter server for its workers, and answers from then on. */
    EnsembleServer(InetSocketAddress address, Members members, Questions questions, Ensemble ensemble)
            throws IOException {
        this.members = members;
        this.questions = questions;
        this.ensemble = ensemble;
        this.server = HttpServer.create(address, 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        members.look();
        ScheduledFuture<?> unused =
                looking.scheduleWithFixedDelay(members::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
        server.start();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "ensemble");
        thread.setDaemon(true);
        return thread;
    }

    URI address() {
        InetSocketAddress at = server.getAddress();
        return URI.create("http://%s:%d".formatted(at.getAddress().getHostAddress(), at.getPort()));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = answer(exchange);
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            if (answer.status() == 503) {
                exchange.getResponseHeaders().set("Retry-After", "1");
            }
            exchange.sendResponseHeaders(answer.status(), answer.body().length);
            exchange.getResponseBody().write(answer.body());
        }
    }

    private Answer answer(HttpExchange exchange) throws IOException {
        String method = exchange.getRequestMethod();
        return switch (exchange.getRequestURI().getPath()) {
            case "/predict" ->
                method.equals("POST")
                        ? predict(exchange)
                        : problem(405, ProblemRules.METHOD_NOT_ALLOWED, "the path allows POST");
            case "/status" ->
                method.equals("GET") ? status() : problem(405, ProblemRules.METHOD_NOT_ALLOWED, "the path allows GET");
            default -> problem(404, ProblemRules.NOT_FOUND, "an ensemble knows POST /predict and GET /status only");
        };
    }

    private Answer predict(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
        if (body.length > LARGEST_BODY) {
            return problem(413, ProblemRules.TOO_LARGE, "the body has more bytes than the limit of " + LARGEST_BODY);
        }
        String type = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type"));
        Poll poll = questions.ask(members.current(), body, type);
        Optional<EnsembleReply> reply = ensemble.join(poll);
        if (reply.isPresent()) {
            return new Answer(200, JSON_TYPE, json.writeValueAsBytes(reply.get()));
        }
        if (!poll.refused().isEmpty()) {
            // All who answered say that the request is wrong: one of them tells how.
            Poll.Refusal first = poll.refused().get(0);
            return new Answer(
                    first.status(), HeaderNames.PROBLEM_JSON, first.body().getBytes(StandardCharsets.UTF_8));
        }
        return problem(503, ProblemRules.NO_PARAMETERS, "no worker answered: " + absence(poll));
    }

    private String absence(Poll poll) {
        return poll.leftOut().isEmpty()
                ? members.trouble().orElse("there is none")
                : String.join(
                        "; ",
                        poll.leftOut().stream()
                                .map(left -> "%s at %s %s"
                                        .formatted(
                                                left.member().worker(),
                                                left.member().address(),
                                                left.why()))
                                .toList());
    }

    private Answer status() {
        List<Map<String, String>> listed = members.current().stream()
                .map(member -> Map.of(
                        "worker", member.worker(), "address", member.address().toString()))
                .toList();
        return new Answer(
                200,
                JSON_TYPE,
                json.writeValueAsBytes(Map.of(
                        "code",
                        200,
                        "state",
                        listed.isEmpty() ? "waiting" : "serving",
                        "detail",
                        members.trouble().orElse(""),
                        "members",
                        listed)));
    }

    private Answer problem(int status, String rule, String detail) {
        return new Answer(
                status,
                HeaderNames.PROBLEM_JSON,
                json.writeValueAsBytes(
                        new Problem(Problem.TYPE_PREFIX + rule, ProblemTitles.of(rule), status, status, detail)));
    }

    @Override
    public void close() {
        looking.shutdownNow();
        server.stop(0);
        threads.shutdownNow();
    }
}
