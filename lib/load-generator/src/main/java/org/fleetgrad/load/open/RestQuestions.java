package org.fleetgrad.load.open;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.fleetgrad.load.question.LoadRequests;
import org.fleetgrad.load.question.PredictClient.Reply;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests of the Open Inference Protocol over REST: JSON, and after it the bytes of the tensor. */
final class RestQuestions extends TensorQuestions {

    /** The bytes of the output follow the JSON. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final byte[] head;

    RestQuestions(LoadRequests requests, OpenModel model) {
        super(requests, model);
        long bytes = shape().stream().reduce(1L, (one, other) -> one * other)
                * (model.datatype().equals("FP32") ? Float.BYTES : 1);
        head = JSON.writeValueAsBytes(Map.of(
                "inputs",
                List.of(Map.of(
                        "name",
                        model.input(),
                        "datatype",
                        model.datatype(),
                        "shape",
                        shape(),
                        "parameters",
                        Map.of("binary_data_size", bytes))),
                "outputs",
                List.of(Map.of("name", model.output(), "parameters", Map.of("binary_data", true)))));
    }

    /** Returns the length of the JSON, which is the same in each request. */
    int headLength() {
        return head.length;
    }

    @Override
    public byte[] body(long number) {
        byte[] tensor = tensor(number);
        byte[] body = Arrays.copyOf(head, head.length + tensor.length);
        System.arraycopy(tensor, 0, body, head.length, tensor.length);
        return body;
    }

    @Override
    Output output(byte[] body) {
        try (JsonParser parser = JSON.createParser(body)) {
            JsonNode answer = JSON.readTree(parser);
            int end = Math.toIntExact(parser.currentLocation().getByteOffset());
            JsonNode output = answer.path("outputs").path(0);
            int bytes = output.path("parameters").path("binary_data_size").asInt(-1);
            if (bytes < 0 || bytes > body.length - end) {
                throw new IllegalArgumentException(
                        "the response states %d bytes of its first output, and %d follow its JSON"
                                .formatted(bytes, body.length - end));
            }
            return new Output(answer.path("model_version").asString(""), Arrays.copyOfRange(body, end, end + bytes));
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException("the response is not the JSON of an inference", malformed);
        }
    }

    @Override
    String refusal(Reply reply) {
        String said;
        try {
            said = JSON.readTree(new String(reply.body(), StandardCharsets.UTF_8))
                    .path("error")
                    .asString("");
        } catch (JacksonException noJson) {
            // Perhaps a proxy's error page: its status is enough.
            said = "";
        }
        return reply.status() == 400 && !said.isEmpty()
                ? "status 400 (%s)".formatted(said)
                : "status %d".formatted(reply.status());
    }
}
