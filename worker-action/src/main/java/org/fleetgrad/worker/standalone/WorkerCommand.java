package org.fleetgrad.worker.standalone;

import java.util.List;
import org.fleetgrad.worker.action.RunParameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What the program is asked to do by its arguments. */
public sealed interface WorkerCommand {

    /** What {@code --help} prints. */
    String USAGE = """
            Usage: worker-action              serves an action container's POST /init and POST /run, on port 8080
                   worker-action run JSON     trains by itself until all of the server's work is done, and exits
                   worker-action --help

            JSON is the 'value' of a /run. Without dataset_url it trains on the shards that the parameter server hands
            out, one an activation (shards "queue", shard_n 1). It waits for a server that is not there yet, that has been
            given no work yet, or whose last shards others have. Keys and settings are environment variables:
            FLEETGRAD_ACCESS_KEY, FLEETGRAD_SECRET_KEY (or ..._FILE), FLEETGRAD_TRUST, WORKER_PATIENCE.
            stdout: the answer of each activation, a line of JSON. stderr: what it waits for.

            Example:
              worker-action run '{"apihost":"http://ps-service:29500","batch_sz_train":32,"update_intv":1}'

            Exit codes:
              0    all of the work is done
              1    internal error, or the heap is full
              2    wrong arguments, parameters or settings
              3    another try would meet the same: keys are refused, a shard is damaged, the model diverged
              4    it gave up: nothing but failures for WORKER_PATIENCE (10m)
              143  it was told to stop; what it held is pushed, and its shard is free
            """;

    /** Serves activations. */
    record Serve() implements WorkerCommand {}

    /**
     * Trains by itself.
     *
     * @param body of each activation
     */
    record Run(JsonNode body) implements WorkerCommand {}

    /** Prints how it is used. */
    record Help() implements WorkerCommand {}

    /**
     * Nothing that it knows.
     *
     * @param message what is wrong
     */
    record Wrong(String message) implements WorkerCommand {}

    /** Reads the arguments. */
    static WorkerCommand of(List<String> arguments) {
        if (arguments.isEmpty()) {
            return new Serve();
        }
        if (arguments.equals(List.of("--help")) || arguments.equals(List.of("-h"))) {
            return new Help();
        }
        if (arguments.size() != 2 || !arguments.get(0).equals("run")) {
            // Without the arguments: a key may be among them.
            return new Wrong("the arguments are none, or: run JSON; there are %d".formatted(arguments.size()));
        }
        try {
            return new Run(body(arguments.get(1)));
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
