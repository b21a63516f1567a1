package org.fleetgrad.worker;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.messages.Problem;
import org.fleetgrad.protocol.messages.StatusReply;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import tools.jackson.databind.json.JsonMapper;

/** What the fake server answers, and how. */
final class Answers {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Answers() {}

    /** The parameter set as a file, in the encoding that the query asks for. */
    static byte[] parameters(TensorSet parameters, ParameterVersion version, URI uri) {
        String query = String.valueOf(uri.getQuery());
        Encoding encoding =
                Encodings.parse(query.contains("encoding=") ? query.replaceFirst(".*encoding=", "") : "f32");
        Map<String, String> metadata = new HashMap<>(parameters.metadata());
        metadata.put(ParameterVersion.GENERATION_KEY, version.generation());
        metadata.put(ParameterVersion.VERSION_KEY, Long.toString(version.version()));
        metadata.put(Encoding.METADATA_KEY, encoding.text());
        TensorLayout wire = encoding.wireLayout(parameters.layout());
        ByteBuffer data = ByteBuffer.allocate((int) wire.byteLength());
        encoding.encode(parameters.layout(), parameters.toFloats(parameters.layout()), data);
        ByteBuffer file = Safetensors.encode(new TensorSet(wire, data.flip(), metadata));
        byte[] body = new byte[file.remaining()];
        file.get(body);
        return body;
    }

    /** p = p - lr g, in float32. */
    static TensorSet stepped(TensorSet before, float learningRate, float[] gradient) {
        float[] values = before.toFloats(before.layout());
        for (int i = 0; i < values.length; i++) {
            values[i] -= learningRate * gradient[i];
        }
        return TensorSet.ofFloats(before.layout(), values, before.metadata());
    }

    static void problem(HttpExchange exchange, int status, String rule, String detail) throws IOException {
        Problem problem = new Problem(Problem.TYPE_PREFIX + rule, rule, status, status, detail);
        answer(exchange, status, HeaderNames.PROBLEM_JSON, JSON.writeValueAsBytes(problem));
    }

    static void send(HttpExchange exchange, int status, Object message, Map<String, String> headers)
            throws IOException {
        headers.forEach(exchange.getResponseHeaders()::set);
        answer(exchange, status, "application/json", JSON.writeValueAsBytes(message));
    }

    static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    static StatusReply status(String generation, long version, String mode) {
        return new StatusReply(
                200,
                generation,
                version,
                true,
                1,
                1,
                mode,
                "sgd",
                "none",
                "none",
                0.1,
                0,
                null,
                null,
                null,
                0,
                0,
                0,
                Map.of(),
                1,
                List.of(),
                null);
    }
}
