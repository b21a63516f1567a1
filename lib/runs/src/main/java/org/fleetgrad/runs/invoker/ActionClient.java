package org.fleetgrad.runs.invoker;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls one action container as OpenWhisk's invoker does: {@code /init} once, then {@code /run} for each activation. */
final class ActionClient {

    private static final Duration INIT_TIMEOUT = Duration.ofSeconds(30);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final JsonMapper json = JsonMapper.builder().build();
    private final String name;
    private final URI worker;

    ActionClient(String name, URI worker) {
        this.name = name;
        this.worker = worker;
    }

    /** Initializes the action; fails while the worker is starting. */
    void init() throws IOException, InterruptedException {
        HttpResponse<String> response = post("/init", Map.of("value", Map.of("name", name)), INIT_TIMEOUT);
        if (response.statusCode() != 200) {
            throw new IOException(
                    "%s answered /init with %d: %s".formatted(name, response.statusCode(), response.body()));
        }
    }

    /**
     * Runs one activation.
     *
     * @param value          its parameters
     * @param deadline       time at which it will be killed, in epoch milliseconds
     * @param patience       longest time to wait for the response
     * @param initialization seconds of its initialization, included in its duration
     */
    ActivationOutcome run(
            Map<String, Object> value, OptionalLong deadline, Duration patience, boolean isCold, double initialization)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("value", value);
        // OpenWhisk sends it as a string.
        deadline.ifPresent(end -> body.put("deadline", Long.toString(end)));
        HttpResponse<String> response = post("/run", body, patience);
        JsonNode answer = parse(response);
        double seconds = initialization + (System.nanoTime() - begin) / 1e9;
        if (response.statusCode() == 200 && !answer.has("error")) {
            return new ActivationOutcome.Answered(answer, new ActivationOutcome.Course("", isCold, seconds));
        }
        return new ActivationOutcome.Failed(
                "%s failed: %s".formatted(name, answer.path("error").asString(response.body())),
                ActivationOutcome.Failed.isFinal(answer) || response.statusCode() != 200,
                new ActivationOutcome.Course("", isCold, seconds));
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
