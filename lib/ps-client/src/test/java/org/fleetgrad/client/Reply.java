package org.fleetgrad.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerReply;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The response to a request.
 *
 * @param body         the bytes that are sent
 * @param statedLength the length that is stated; {@link #LOST} and {@link #CHUNKED} state none
 */
record Reply(int status, Map<String, String> headers, ByteBuffer body, long statedLength) {

    /** The request is taken in, and the connection closed without a word. */
    static final long LOST = -1;

    /** The body is sent in chunks. */
    static final long CHUNKED = -2;

    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultPropertyInclusion(ignored -> JsonInclude.Value.ALL_NON_NULL)
            .build();

    static Reply bytes(int status, Map<String, String> headers, byte[] body) {
        return new Reply(status, headers, ByteBuffer.wrap(body), body.length);
    }

    static Reply text(int status, String mediaType, String body) {
        return bytes(status, Map.of("Content-Type", mediaType), body.getBytes(StandardCharsets.UTF_8));
    }

    /** A message of the contract; members that are null are left out, as servers do. */
    static Reply json(int status, Object message) {
        return text(status, "application/json", JSON.writeValueAsString(message));
    }

    /** The lease of a worker with an asynchronous server that knows only {@code f32}. */
    static RegisterWorkerReply lease(String id, long leaseMs, long version, long sequence, @Nullable String token) {
        return new RegisterWorkerReply(
                200,
                id,
                leaseMs,
                "g",
                version,
                sequence,
                0,
                false,
                token,
                token == null ? null : 900_000L,
                null,
                null,
                null,
                null,
                null);
    }

    static Reply problem(int status, String rule) {
        return problem(status, rule, "the numbers");
    }

    private static Reply problem(int status, String rule, String detail) {
        String title = Arrays.stream(ProblemKind.values())
                .filter(kind -> kind.rule().equals(rule))
                .findFirst()
                .map(ProblemKind::title)
                .orElse("t");
        return text(status, HeaderNames.PROBLEM_JSON, """
                {"type":"urn:fleetgrad:problem:%s","title":"%s","status":%d,"code":%d,"detail":"%s","limit":7}""".formatted(rule, title, status, status, detail));
    }

    /** A 401 as the contract has it, with its detail in the header too. */
    static Reply unauthenticated(String detail) {
        return problem(401, "unauthenticated", detail)
                .with(Map.of(
                        "WWW-Authenticate",
                        "Bearer realm=\"fleetgrad\", error=\"invalid_token\", error_description=\"%s\""
                                .formatted(detail)));
    }

    static Reply busy(String retryAfter) {
        return problem(503, "busy").with(Map.of("Retry-After", retryAfter));
    }

    static Reply parameters(ParameterVersion version, TensorLayout layout, float[] values) {
        ByteBuffer encoded = Safetensors.encode(TensorSet.ofFloats(
                layout,
                values,
                Map.of("generation", version.generation(), "version", Long.toString(version.version()))));
        Map<String, String> headers = Map.of(
                "Content-Type",
                HeaderNames.SAFETENSORS,
                "ETag",
                version.etag(),
                "Cache-Control",
                "no-cache",
                HeaderNames.VERSION,
                Long.toString(version.version()),
                HeaderNames.GENERATION,
                version.generation());
        return new Reply(200, headers, encoded, encoded.remaining());
    }

    static Reply lost() {
        return new Reply(0, Map.of(), ByteBuffer.allocate(0), LOST);
    }

    Reply with(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.putAll(more);
        return new Reply(status, all, body, statedLength);
    }

    Reply stating(long length) {
        return new Reply(status, headers, body, length);
    }
}
