package org.fleetgrad.benchmarks.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Invokes a worker as OpenWhisk does. */
public final class DirectInvocation {

    private static final Duration LONGEST = Duration.ofMinutes(15);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private DirectInvocation() {}

    /** Initializes a worker that may still be starting. */
    public static void init(Programs.Running worker) throws Exception {
        init(worker.address(), "{\"value\":{}}", worker.process()::isAlive);
    }

    /** Initializes a worker that may still be starting, as long as it is alive. */
    public static void init(URI worker, String body, Callable<Boolean> isAlive) throws Exception {
        while (true) {
            try {
                post(worker.resolve("/init"), body);
                return;
            } catch (IOException notYet) {
                if (!isAlive.call()) {
                    throw notYet;
                }
                Thread.sleep(5);
            }
        }
    }

    /**
     * Runs one activation and returns its answer.
     *
     * @param value the parameters of {@code /run}
     * @throws ActivationFailedException if the worker answers with an error
     * @throws IOException               if the worker does not answer
     */
    public static JsonNode run(URI worker, Map<String, Object> value) throws IOException, InterruptedException {
        String text = post(worker.resolve("/run"), JSON.writeValueAsString(Map.of("value", value)));
        try {
            JsonNode answer = JSON.readTree(text);
            if (answer.has("error")) {
                throw new ActivationFailedException(answer.path("error").asString(text));
            }
            return answer;
        } catch (JacksonException cutOff) {
            throw new IOException("the worker answered something other than JSON: " + text, cutOff);
        }
    }

    public static final class ActivationFailedException extends IOException {

        private static final long serialVersionUID = 1L;

        ActivationFailedException(String message) {
            super(message);
        }
    }

    private static String post(URI uri, String body) throws IOException, InterruptedException {
        return HTTP.send(
                        HttpRequest.newBuilder(uri)
                                .timeout(LONGEST)
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
