package org.fleetgrad.cli.run;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Invokes one worker as OpenWhisk's invoker does: {@code /init} once, then {@code /run} for each activation. */
final class WorkerInvoker {

    private static final Duration INIT_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration RUN_TIMEOUT = Duration.ofHours(1);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final JsonMapper json = JsonMapper.builder().build();
    private final String name;
    private final URI worker;
    private final URI server;
    private final RunSettings settings;

    WorkerInvoker(String name, URI worker, URI server, RunSettings settings) {
        this.name = name;
        this.worker = worker;
        this.server = server;
        this.settings = settings;
    }

    /** Initializes the action; fails while the worker is still starting. */
    void init() throws IOException, InterruptedException {
        HttpResponse<String> response = post("/init", Map.of("value", Map.of("name", name)), INIT_TIMEOUT);
        if (response.statusCode() != 200) {
            throw new IOException(
                    "%s answered /init with %d: %s".formatted(name, response.statusCode(), response.body()));
        }
    }

    /** Runs one activation, on one shard that the parameter server hands out, and returns its answer. */
    JsonNode run() throws IOException, InterruptedException, RunFailedException {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("batch_sz_train", settings.batchSize());
        value.put("shards", "queue");
        value.put("shard_n", 1);
        value.put("update_intv", settings.updateInterval());
        value.put("apihost", server.toString());
        value.put("device", "cpu");
        value.put("seed", settings.seed());
        HttpResponse<String> response = post("/run", Map.of("value", value), RUN_TIMEOUT);
        JsonNode answer = parse(response);
        if (response.statusCode() != 200 || answer.has("error")) {
            throw RunFailedException.remote(
                    "%s failed: %s".formatted(name, answer.path("error").asString(response.body())));
        }
        return answer;
    }

    private JsonNode parse(HttpResponse<String> response) throws IOException {
        try {
            return json.readTree(response.body());
        } catch (JacksonException malformed) {
            throw new IOException("%s answered %d with something other than JSON: %s"
                    .formatted(name, response.statusCode(), response.body()));
        }
    }

    private HttpResponse<String> post(String path, Object body, Duration timeout)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(worker.resolve(path))
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json.writeValueAsString(body)))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
