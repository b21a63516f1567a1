package org.fleetgrad.inference.infer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.infer.InferOutput.Requested;
import org.fleetgrad.inference.prediction.RawImages.PixelType;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads requests for inference: JSON, and after it the bytes of an input that states its {@code binary_data_size}, as in the
 * protocol's <a href="https://github.com/triton-inference-server/server/blob/main/docs/protocol/extension_binary_data.md">binary
 * tensor extension</a>. Thread-safe.
 */
public final class InferReader {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String PARAMETERS = "parameters";
    private static final String BINARY_SIZE = "binary_data_size";

    private InferReader() {}

    /**
     * Reads a body.
     *
     * @param headerLength length of the JSON, from the header {@code Inference-Header-Content-Length}; null if the body is
     *     JSON alone
     * @throws RequestRefused if the body is not a request, or names an output that the model does not have
     */
    public static InferRequest read(byte[] body, @Nullable String headerLength) {
        int length = headerLength == null ? body.length : length(headerLength, body.length);
        JsonNode request = parsed(body, length);
        JsonNode inputs = request.path("inputs");
        if (!inputs.isArray() || inputs.size() != 1) {
            throw malformed("'inputs' must be an array of 1 input; it %s"
                    .formatted(inputs.isArray() ? "has " + inputs.size() : "is none"));
        }
        ByteBuffer rest = ByteBuffer.wrap(body, length, body.length - length).slice();
        return new InferRequest(id(request), input(inputs.get(0), rest), outputs(request));
    }

    static RequestRefused malformed(String detail) {
        return new RequestRefused(ProblemKind.MALFORMED, detail);
    }

    private static JsonNode parameters(JsonNode holder) {
        JsonNode parameters = holder.path(PARAMETERS);
        if (!parameters.isMissingNode() && !parameters.isObject()) {
            throw malformed("'parameters' must be an object; it is " + parameters.getNodeType());
        }
        return parameters;
    }

    private static int length(String text, int bodyLength) {
        if (text.matches("[0-9]{1,9}") && Integer.parseInt(text) <= bodyLength) {
            return Integer.parseInt(text);
        }
        throw malformed("Inference-Header-Content-Length must be a number of bytes from 0 to the body's %d; it is '%s'"
                .formatted(bodyLength, text));
    }

    private static JsonNode parsed(byte[] body, int length) {
        try {
            JsonNode request = JSON.readTree(body, 0, length);
            if (request != null && request.isObject()) {
                return request;
            }
            throw malformed("the first %d bytes of the body must be a JSON object".formatted(length));
        } catch (JacksonException notJson) {
            throw malformed(
                    "the first %d bytes of the body are not JSON: %s".formatted(length, notJson.getOriginalMessage()));
        }
    }

    private static Optional<String> id(JsonNode request) {
        JsonNode id = request.path("id");
        if (!id.isMissingNode() && !id.isString()) {
            throw malformed("'id' must be a text; it is " + id);
        }
        return id.isString() ? Optional.of(id.asString()) : Optional.empty();
    }

    private static InferInput input(JsonNode input, ByteBuffer rest) {
        String name = input.path("name").asString("");
        if (!name.equals(InferInput.NAME)) {
            throw malformed("there is no input '%s'; the input is '%s'".formatted(name, InferInput.NAME));
        }
        PixelType type = type(input.path("datatype").asString(""));
        List<Long> shape = shape(input.path("shape"));
        JsonNode size = parameters(input).path(BINARY_SIZE);
        JsonNode data = input.path("data");
        if (size.isMissingNode()) {
            if (!data.isArray() || rest.hasRemaining()) {
                throw malformed("the input '%s' needs 'data', an array, or the parameter '%s'; %d bytes follow the JSON"
                        .formatted(name, BINARY_SIZE, rest.remaining()));
            }
            return new InferInput.Json(type, shape, data);
        }
        if (!size.isIntegralNumber() || size.asLong(-1) != rest.remaining() || data.isArray()) {
            throw malformed("the input '%s' states %s bytes of binary data%s; %d bytes follow the JSON"
                    .formatted(name, size, data.isArray() ? " beside 'data'" : "", rest.remaining()));
        }
        return new InferInput.Binary(type, shape, rest);
    }

    private static PixelType type(String text) {
        return Arrays.stream(PixelType.values())
                .filter(type -> type.name().equals(text))
                .findFirst()
                .orElseThrow(() -> malformed("the datatype of the input '%s' is FP32 or UINT8; it is '%s'"
                        .formatted(InferInput.NAME, text)));
    }

    private static List<Long> shape(JsonNode shape) {
        List<Long> sizes = new ArrayList<>();
        for (JsonNode size : shape) {
            if (!size.isIntegralNumber() || !size.canConvertToLong()) {
                throw malformed("the shape of the input '%s' must be whole numbers; it has %s"
                        .formatted(InferInput.NAME, size));
            }
            sizes.add(size.asLong());
        }
        return sizes;
    }

    private static List<Requested> outputs(JsonNode request) {
        boolean isBinary = parameters(request).path("binary_data_output").asBoolean(false);
        JsonNode outputs = request.path("outputs");
        if (!outputs.isMissingNode() && !outputs.isArray()) {
            throw malformed("'outputs' must be an array; it is " + outputs.getNodeType());
        }
        if (outputs.isEmpty()) {
            return Arrays.stream(InferOutput.values())
                    .map(output -> new Requested(output, isBinary))
                    .toList();
        }
        List<Requested> requested = new ArrayList<>();
        for (JsonNode output : outputs) {
            JsonNode parameters = parameters(output);
            if (parameters.has("classification")) {
                throw malformed(
                        "the extension 'classification' is not served; POST /predict answers with the names of classes");
            }
            requested.add(new Requested(
                    InferOutput.named(output.path("name").asString("")),
                    parameters.path("binary_data").asBoolean(isBinary)));
        }
        return requested;
    }

    /** A request for inference. The response repeats its id, and has its outputs in this order. */
    public record InferRequest(Optional<String> id, InferInput input, List<Requested> outputs) {

        public InferRequest {
            outputs = List.copyOf(outputs);
        }

        /** Reads the images in the shape that the network takes. */
        public Images images(ImageShape shape, int maxImages) {
            return input.images(shape, maxImages);
        }
    }
}
