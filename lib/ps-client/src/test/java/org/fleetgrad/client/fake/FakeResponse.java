package org.fleetgrad.client.fake;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.messages.Problem;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import tools.jackson.databind.json.JsonMapper;

/** A response of the fake server, as the contract documents it. */
record FakeResponse(int status, Map<String, String> headers, byte[] body) {

    private static final String CONTENT_TYPE = "Content-Type";
    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultPropertyInclusion(ignored -> JsonInclude.Value.ALL_NON_NULL)
            .build();

    static FakeResponse json(int status, Object message) {
        return new FakeResponse(status, Map.of(CONTENT_TYPE, "application/json"), JSON.writeValueAsBytes(message));
    }

    static FakeResponse problem(int status, String rule, String detail) {
        String title = Arrays.stream(ProblemKind.values())
                .filter(kind -> kind.rule().equals(rule))
                .findFirst()
                .orElseThrow()
                .title();
        Problem problem = new Problem(Problem.TYPE_PREFIX + rule, title, status, status, detail, null);
        FakeResponse answer = new FakeResponse(
                status, Map.of(CONTENT_TYPE, HeaderNames.PROBLEM_JSON), JSON.writeValueAsBytes(problem));
        // The JDK's client drops the body of a 401; as the real server does, the detail is in the head, too.
        return status == 401
                ? answer.with(
                        "WWW-Authenticate",
                        "Bearer error=\"invalid_token\", error_description=\"%s\"".formatted(detail))
                : answer;
    }

    static FakeResponse notModified() {
        return new FakeResponse(304, Map.of(), new byte[0]);
    }

    /** Answers with parameters as a file, in the encoding that the query requests. */
    static FakeResponse parameters(TensorSet parameters, ParameterVersion version, URI uri) {
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
        return new FakeResponse(200, Map.of(CONTENT_TYPE, HeaderNames.SAFETENSORS, "Cache-Control", "no-cache"), body)
                .with("ETag", version.etag())
                .with(HeaderNames.VERSION, Long.toString(version.version()))
                .with(HeaderNames.GENERATION, version.generation());
    }

    FakeResponse with(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new FakeResponse(status, more, body);
    }
}
