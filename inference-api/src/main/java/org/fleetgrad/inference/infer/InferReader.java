package org.fleetgrad.inference.infer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.inference.infer.InferInput.Content;
import org.fleetgrad.inference.infer.InferRequest.NamedOutput;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.web.UnfitJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads requests for inference: JSON, and after it the bytes of the inputs that state their {@code binary_data_size}, as in the
 * protocol's <a href="https://github.com/triton-inference-server/server/blob/main/docs/protocol/extension_binary_data.md">binary
 * tensor extension</a>. Thread-safe.
 */
public final class InferReader {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String PARAMETERS = "parameters";
    static final String BINARY_SIZE = "binary_data_size";

    private InferReader() {}

    /**
     * Reads a body.
     *
     * @param headerLength length of the JSON, from the header {@code Inference-Header-Content-Length}; null if the body is
     *     JSON alone
     * @throws RequestRefused if the body is not a request
     */
    public static InferRequest read(byte[] body, @Nullable String headerLength) {
        int length = headerLength == null ? body.length : length(headerLength, body.length);
        JsonNode request = parsed(body, length);
        JsonNode inputs = request.path("inputs");
        if (!inputs.isArray() || inputs.isEmpty()) {
            throw malformed("'inputs' must be an array of 1 input or more; it %s"
                    .formatted(inputs.isArray() ? "has " + inputs.size() : "is none"));
        }
        ByteBuffer rest = ByteBuffer.wrap(body, length, body.length - length).slice();
        List<InferInput> read = new ArrayList<>();
        for (JsonNode input : inputs) {
            read.add(input(input, rest));
        }
        if (rest.hasRemaining()) {
            throw malformed("%d bytes follow the JSON, and the inputs state %d of them as their '%s'"
                    .formatted(rest.limit(), rest.position(), BINARY_SIZE));
        }
        boolean isBinary = parameters(request).path("binary_data_output").asBoolean(false);
        return new InferRequest(id(request), read, outputs(request, isBinary), isBinary);
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
                    "the first %d bytes of the body are not JSON%s".formatted(length, UnfitJson.where(notJson)));
        }
    }

    private static Optional<String> id(JsonNode request) {
        JsonNode id = request.path("id");
        if (!id.isMissingNode() && !id.isString()) {
            throw malformed("'id' must be a text; it is " + id);
        }
        return id.isString() ? Optional.of(id.asString()) : Optional.empty();
    }

    /** Reads an input; its bytes are the next of the rest. */
    private static InferInput input(JsonNode input, ByteBuffer rest) {
        String name = input.path("name").asString("");
        return new InferInput(
                name,
                input.path("datatype").asString(""),
                shape(name, input.path("shape")),
                content(name, parameters(input).path(BINARY_SIZE), input.path("data"), rest));
    }

    private static Content content(String name, JsonNode size, JsonNode data, ByteBuffer rest) {
        if (size.isMissingNode()) {
            return data.isArray() ? new InferInput.Json(data) : new InferInput.None(rest.remaining());
        }
        if (!size.isIntegralNumber() || size.asLong(-1) < 0 || size.asLong(-1) > rest.remaining() || data.isArray()) {
            throw malformed("the input '%s' states %s bytes of binary data%s; %d bytes follow the JSON"
                    .formatted(Printable.text(name), size, data.isArray() ? " beside 'data'" : "", rest.remaining()));
        }
        int length = Math.toIntExact(size.asLong());
        ByteBuffer own = rest.slice(rest.position(), length);
        rest.position(rest.position() + length);
        return new InferInput.Binary(own);
    }

    private static List<Long> shape(String name, JsonNode shape) {
        List<Long> sizes = new ArrayList<>();
        for (JsonNode size : shape) {
            if (!size.isIntegralNumber() || !size.canConvertToLong()) {
                throw malformed("the shape of the input '%s' must be whole numbers; it has %s"
                        .formatted(Printable.text(name), size));
            }
            sizes.add(size.asLong());
        }
        return sizes;
    }

    private static List<NamedOutput> outputs(JsonNode request, boolean isBinary) {
        JsonNode outputs = request.path("outputs");
        if (!outputs.isMissingNode() && !outputs.isArray()) {
            throw malformed("'outputs' must be an array; it is " + outputs.getNodeType());
        }
        List<NamedOutput> named = new ArrayList<>();
        for (JsonNode output : outputs) {
            JsonNode parameters = parameters(output);
            if (parameters.has("classification")) {
                throw malformed(
                        "the extension 'classification' is not served; POST /predict answers with the names of classes");
            }
            named.add(new NamedOutput(
                    output.path("name").asString(""),
                    parameters.path("binary_data").asBoolean(isBinary)));
        }
        return named;
    }
}
