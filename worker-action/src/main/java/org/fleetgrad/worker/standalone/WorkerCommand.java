package org.fleetgrad.worker.standalone;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.worker.action.RunParameters;
import org.fleetgrad.worker.colocated.ServeSettings;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The command in the program's arguments. */
public sealed interface WorkerCommand {

    /** The text of {@code --help}. */
    String USAGE = """
            Usage: worker-action              serves an action container's POST /init and POST /run, on port 8080
                   worker-action run [--serve PORT [--serve-mode interleaved|thread|live] [--serve-every N]] JSON
                                              trains by itself until all of the server's work is done, and exits
                   worker-action stage ...    trains a stage of a pipeline; fleetgrad pipeline starts it
                   worker-action blocks NETWORK SAMPLES STAGES OPTIMIZER
                                              measures the blocks of a network, as one line of JSON
                   worker-action --help

            JSON is the 'value' of a /run. Without dataset_url it trains on the shards that the parameter server
            assigns, one in each activation (shards "queue", shard_n 1). It waits if the server is not there yet, if the server
            has no work yet, or if other workers have its last shards. Keys and settings are environment variables:
            FLEETGRAD_ACCESS_KEY, FLEETGRAD_SECRET_KEY (or ..._FILE), FLEETGRAD_TRUST, WORKER_RETRY_TIMEOUT, WORKER_WHEN_DONE
            (exit, or wait: for more work).
            With --serve it answers POST /predict and GET /status on that port (0: a free one) while it trains: interleaved,
            between two batches; thread, on a copy of every Nth step; live, on the trained tensors, maybe torn. Also
            WORKER_SERVE, WORKER_SERVE_MODE, WORKER_SERVE_EVERY, WORKER_SERVE_ADDRESS, WORKER_SERVE_URL.
            stdout: the result of each activation, a line of JSON. stderr: what it waits for.

            Example:
              worker-action run '{"apihost":"http://ps-service:29500","batch_sz_train":32,"update_intv":1}'
              worker-action run --serve 29700 '{"apihost":"http://ps-service:29500"}'

            Exit codes:
              0    all of the work is done
              1    internal error, or the heap is full
              2    wrong arguments, parameters or settings
              3    a retry would not help: keys are refused, a shard is damaged, or the model diverged
              4    it gave up: only failures for WORKER_RETRY_TIMEOUT (10m)
              143  it was told to stop; its last gradient is pushed, and its shard is free
            """;

    /** The options of {@code run}, each with the environment variable that it overrides. */
    Map<String, String> OPTIONS = Map.of(
            "--serve", ServeSettings.PORT,
            "--serve-mode", ServeSettings.MODE,
            "--serve-every", ServeSettings.EVERY,
            "--serve-address", ServeSettings.ADDRESS,
            "--serve-url", ServeSettings.URL);

    /** Serves activations. */
    record Serve() implements WorkerCommand {}

    /**
     * Trains by itself.
     *
     * @param body     of each activation
     * @param settings environment variables that the options set
     */
    record Run(JsonNode body, Map<String, String> settings) implements WorkerCommand {}

    /** Trains a stage of a pipeline, as the words after {@code stage} say. */
    record Stage(List<String> words) implements WorkerCommand {}

    /** Measures the blocks of a network, as the words after {@code blocks} say. */
    record Blocks(List<String> words) implements WorkerCommand {}

    /** Prints the usage. */
    record Help() implements WorkerCommand {}

    /** The arguments are wrong. */
    record Wrong(String message) implements WorkerCommand {}

    /** Reads the arguments. */
    static WorkerCommand of(List<String> arguments) {
        if (arguments.isEmpty()) {
            return new Serve();
        }
        if (arguments.equals(List.of("--help")) || arguments.equals(List.of("-h"))) {
            return new Help();
        }
        List<String> words = arguments.subList(1, arguments.size());
        if (arguments.get(0).equals("stage")) {
            return new Stage(words);
        }
        if (arguments.get(0).equals("blocks")) {
            return new Blocks(words);
        }
        Map<String, String> settings = new HashMap<>();
        int at = 1;
        while (at + 2 < arguments.size() && OPTIONS.containsKey(arguments.get(at))) {
            settings.put(String.valueOf(OPTIONS.get(arguments.get(at))), arguments.get(at + 1));
            at += 2;
        }
        if (arguments.size() != at + 1 || !arguments.get(0).equals("run")) {
            // The message does not quote the arguments: one may be a key.
            return new Wrong(
                    "the arguments are none, or: run [--serve PORT] JSON; there are %d".formatted(arguments.size()));
        }
        try {
            return new Run(body(arguments.get(at)), settings);
        } catch (IllegalArgumentException wrong) {
            return new Wrong(String.valueOf(wrong.getMessage()));
        }
    }

    private static JsonNode body(String json) {
        JsonMapper mapper = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
        JsonNode read;
        try {
            read = mapper.readTree(json);
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException(
                    "the parameters are not JSON: %s".formatted(malformed.getOriginalMessage()), malformed);
        }
        if (!(read instanceof ObjectNode value)) {
            throw new IllegalArgumentException(
                    "the parameters must be a JSON object, such as {\"apihost\":\"http://ps-service:29500\"}");
        }
        if (!value.has("dataset_url") && !value.has("shards")) {
            value.put("shards", "queue");
        }
        if (!value.has("shard_n")) {
            value.put("shard_n", 1);
        }
        ObjectNode body = mapper.createObjectNode();
        body.set("value", value);
        RunParameters.parse(body);
        return body;
    }
}
