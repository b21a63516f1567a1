package org.fleetgrad.mlflow;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.fleetgrad.files.text.Printable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * MLflow's tracking server, as far as a run needs it. What it assumes is what mlflow 3.17 does (mlflow/server/handlers.py): each
 * {@code runs/create} makes a run; equal points of a metric are kept once; a parameter cannot change; an unknown experiment is 404
 * {@code RESOURCE_DOES_NOT_EXIST}, one that exists 400 {@code RESOURCE_ALREADY_EXISTS}; the bytes of an artifact are answered 200 without a
 * body. {@link MlflowTest} holds the client to the real one.
 */
final class FakeMlflow implements AutoCloseable {

    final List<String> runs = new ArrayList<>();
    final List<String> points = new ArrayList<>();
    final Map<String, String> parameters = new TreeMap<>();
    final Map<String, Integer> artifacts = new TreeMap<>();
    final List<String> statuses = new ArrayList<>();
    final List<String> authorizations = new ArrayList<>();
    final LinkedBlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private final JsonMapper json = JsonMapper.builder().build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Fault> faults = new ArrayList<>();
    private final HttpServer server;
    private String artifactsUri = "mlflow-artifacts:/1/r1/artifacts";
    private boolean hasExperiment;

    /** What happens to the next request of a route. */
    private record Fault(String route, int status, boolean isDone, String body) {}

    private FakeMlflow(int port) throws IOException {
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    static FakeMlflow start() throws IOException {
        return new FakeMlflow(0);
    }

    static FakeMlflow startAt(int port) throws IOException {
        return new FakeMlflow(port);
    }

    MlflowServer address() {
        return MlflowServer.parse(
                "http://127.0.0.1:" + server.getAddress().getPort(), Map.of(MlflowServer.TOKEN, "t0ken"));
    }

    /** Answers the next request of a route with a status, without doing what it asks. */
    synchronized void answer(String route, int status, String body) {
        faults.add(new Fault(route, status, false, body));
    }

    /** Does what the next request of a route asks, and loses the answer. */
    synchronized void loseAnswer(String route) {
        faults.add(new Fault(route, 0, true, ""));
    }

    synchronized void storeArtifactsAt(String uri) {
        artifactsUri = uri;
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        URI uri = exchange.getRequestURI();
        String route = uri.getPath();
        String answer;
        int status = 200;
        synchronized (this) {
            authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            Fault fault = faults.stream()
                    .filter(each -> route.startsWith(each.route()))
                    .findFirst()
                    .orElse(null);
            faults.remove(fault);
            if (fault == null || fault.isDone()) {
                ObjectNode done = perform(exchange.getRequestMethod(), uri, body);
                status = done.path("status").asInt(200);
                answer = done.path("empty").asBoolean(false) ? "" : done.toString();
            } else {
                status = fault.status();
                answer = fault.body();
            }
            requests.add(route);
            if (fault != null && fault.isDone()) {
                exchange.close();
                return;
            }
        }
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        if (status / 100 == 3) {
            exchange.getResponseHeaders().add("Location", answer);
        }
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private ObjectNode perform(String method, URI uri, byte[] body) {
        String route = uri.getPath();
        if (route.startsWith(MlflowRoutes.ARTIFACTS) && method.equals("PUT")) {
            artifacts.put(route.substring(MlflowRoutes.ARTIFACTS.length()), body.length);
            return json.createObjectNode().put("empty", true);
        }
        JsonNode asked = body.length == 0 ? json.createObjectNode() : json.readTree(body);
        return switch (route) {
            case MlflowRoutes.EXPERIMENT_BY_NAME ->
                experiment(URLDecoder.decode(uri.getRawQuery().split("=")[1], StandardCharsets.UTF_8));
            case MlflowRoutes.CREATE_EXPERIMENT -> create();
            case MlflowRoutes.CREATE_RUN -> createRun(asked);
            case MlflowRoutes.SEARCH_RUNS -> search(asked);
            case MlflowRoutes.LOG_BATCH -> log(asked);
            case MlflowRoutes.UPDATE_RUN -> update(asked);
            default -> throw new IllegalStateException(Printable.text(route));
        };
    }

    private ObjectNode experiment(String name) {
        if (!hasExperiment) {
            return refusal(404, "RESOURCE_DOES_NOT_EXIST", "Could not find experiment with name '%s'".formatted(name));
        }
        ObjectNode found = json.createObjectNode();
        found.putObject("experiment").put("experiment_id", "1").put("name", name);
        return found;
    }

    private ObjectNode create() {
        if (hasExperiment) {
            return refusal(400, "RESOURCE_ALREADY_EXISTS", "Experiment already exists.");
        }
        hasExperiment = true;
        return json.createObjectNode().put("experiment_id", "1");
    }

    private ObjectNode refusal(int status, String code, String message) {
        return json.createObjectNode()
                .put("status", status)
                .put("error_code", code)
                .put("message", message);
    }

    private ObjectNode createRun(JsonNode asked) {
        runs.add(asked.path("tags")
                .valueStream()
                .map(JsonNode::toString)
                .toList()
                .toString());
        ObjectNode created = json.createObjectNode();
        created.set("run", run(runs.size()));
        return created;
    }

    private ObjectNode run(int number) {
        ObjectNode run = json.createObjectNode();
        run.putObject("info")
                .put("run_id", "r" + number)
                .put("experiment_id", "1")
                .put("artifact_uri", artifactsUri);
        return run;
    }

    private ObjectNode search(JsonNode asked) {
        String mark = asked.path("filter").asString().replaceAll(".*'(.*)'", "$1");
        ObjectNode found = json.createObjectNode();
        for (int i = 0; i < runs.size(); i++) {
            if (runs.get(i).contains(mark)) {
                found.withArray("runs").add(run(i + 1));
            }
        }
        return found;
    }

    private ObjectNode log(JsonNode asked) {
        for (JsonNode metric : asked.path("metrics")) {
            String point = "%s@%d=%s"
                    .formatted(
                            metric.path("key").asString(),
                            metric.path("step").asLong(),
                            metric.path("value").asString());
            if (!points.contains(point)) {
                points.add(point);
            }
        }
        for (JsonNode parameter : asked.path("params")) {
            parameters.put(
                    parameter.path("key").asString(), parameter.path("value").asString());
        }
        return json.createObjectNode();
    }

    private ObjectNode update(JsonNode asked) {
        statuses.add(asked.path("status").asString());
        return json.createObjectNode();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
