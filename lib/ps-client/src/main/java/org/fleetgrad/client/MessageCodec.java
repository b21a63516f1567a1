package org.fleetgrad.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.internal.http.Transport.Response;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.EncodingException;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.encoding.TensorFormat;
import org.fleetgrad.protocol.messages.ParameterMessages.PushReply;
import org.fleetgrad.protocol.messages.Problem;
import org.fleetgrad.protocol.safetensors.HeaderCache;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Encodes the contract's messages, and decodes the server's responses: JSON, problems, parameter sets and the results
 * of pushes. Ignores members that this client does not know. Messages of failures name the call, such as {@code GET
 * /status}. Thread-safe.
 */
final class MessageCodec {

    /** Absent members are left out: the contract has no null. One for all, because it learns the messages once. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .changeDefaultPropertyInclusion(ignored -> JsonInclude.Value.ALL_NON_NULL)
            .build();

    /** The accessors of a record's members, but for those that it declares nullable. To look for them costs more than a small message. */
    private static final ClassValue<List<Method>> REQUIRED = new ClassValue<>() {
        @Override
        protected List<Method> computeValue(Class<?> type) {
            return Arrays.stream(type.getRecordComponents())
                    .filter(member -> !member.getAnnotatedType().isAnnotationPresent(Nullable.class))
                    .map(RecordComponent::getAccessor)
                    .toList();
        }
    };

    private final HeaderCache headers = new HeaderCache();

    byte[] encode(Object message) {
        return MAPPER.writeValueAsBytes(message);
    }

    /** Decodes a message; a response that is not successful is a {@link ProblemException}. */
    <T> T decode(String call, Response response, Class<T> type) throws IOException {
        requireSuccess(call, response);
        try {
            T message = MAPPER.readValue(bytes(response), type);
            if (message == null) {
                throw new IOException("%s answered null instead of a %s".formatted(call, type.getSimpleName()));
            }
            requireComplete(call, message);
            return message;
        } catch (JacksonException malformed) {
            throw new IOException(
                    "%s answered something other than a %s: %s"
                            .formatted(call, type.getSimpleName(), malformed.getOriginalMessage()),
                    malformed);
        }
    }

    private void requireSuccess(String call, Response response) throws ProblemException {
        if (response.status() / 100 != 2) {
            throw new ProblemException(call, problem(response));
        }
    }

    /** Checks that every required member is present. Otherwise a missing one would fail only when it is used. */
    private static void requireComplete(String call, Object message) throws IOException {
        for (Method accessor : REQUIRED.get(message.getClass())) {
            if (value(accessor, message) == null) {
                throw new IOException("%s answered a %s without '%s'"
                        .formatted(call, message.getClass().getSimpleName(), accessor.getName()));
            }
        }
    }

    private static @Nullable Object value(Method accessor, Object message) {
        try {
            return accessor.invoke(message);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("the accessors of " + message.getClass() + " are public", impossible);
        }
    }

    /** Decodes a problem; any other body becomes the detail of one, so that the user sees a proxy's error page. */
    Problem problem(Response response) {
        try {
            Problem problem = MAPPER.readValue(bytes(response), Problem.class);
            if (problem != null && problem.status() != 0) {
                return problem;
            }
        } catch (JacksonException notAProblem) {
            // Falls through: the body is shown as received.
        }
        String text = new String(bytes(response), StandardCharsets.UTF_8).strip();
        String shown = text.length() > 200 ? text.substring(0, 200) + "…" : text.isEmpty() ? "no body" : text;
        return new Problem(null, null, response.status(), response.status(), shown, null);
    }

    private static byte[] bytes(Response response) {
        byte[] bytes = new byte[response.body().remaining()];
        response.body().duplicate().get(bytes);
        return bytes;
    }

    /** Decodes a parameter set, in the encoding that it names. */
    Pulled parameters(String call, Response response) throws IOException {
        requireSuccess(call, response);
        TensorSet wire;
        TensorSet parameters;
        try {
            wire = headers.decodeFile(response.body(), SafetensorsLimits.DEFAULT);
            parameters = plain(wire);
        } catch (SafetensorsException | EncodingException | IllegalArgumentException malformed) {
            throw new IOException(
                    "%s answered a malformed parameter set: %s".formatted(call, malformed.getMessage()), malformed);
        }
        ParameterVersion version = ParameterVersion.of(parameters.metadata())
                .orElseThrow(() -> new IOException("%s answered a parameter set without generation and version: %s"
                        .formatted(call, parameters.metadata())));
        return new Pulled(version, parameters, wire.layout().byteLength());
    }

    /** Decodes the tensors on the wire; without a named encoding they are returned as they are. */
    private static TensorSet plain(TensorSet wire) throws EncodingException {
        String text = Encodings.textIn(wire.metadata());
        if (text.equals(Encodings.PLAIN.text())) {
            return wire;
        }
        if (!(Encodings.parse(text) instanceof ParameterEncoding encoding)) {
            throw new IllegalArgumentException("parameters do not travel as " + text);
        }
        TensorFormat format = TensorFormat.ofWire(encoding, wire.layout(), ParameterState.in(wire.metadata()));
        TensorLayout layout = format.layout();
        float[] values = new float[Math.toIntExact(layout.elementCount())];
        format.decode(wire, values);
        Map<String, String> metadata = new TreeMap<>(wire.metadata());
        // The set may be put to another server: it is float32 now.
        metadata.remove(Encoding.METADATA_KEY);
        return TensorSet.ofFloats(layout, values, metadata);
    }

    /** Decodes the result of a push. */
    PushResult push(String call, Response response) throws IOException {
        return switch (response.status()) {
            case 200, 202 -> accepted(call, response);
            case 409 -> conflict(problem(response));
            case 400, 413, 415, 422 -> new PushResult.Rejected(problem(response));
            default -> throw new ProblemException(call, problem(response));
        };
    }

    /** A push that the server accepted is answered with the new parameters, or with a message. */
    private PushResult accepted(String call, Response response) throws IOException {
        boolean isPaused = response.header(HeaderNames.WORK)
                .filter(HeaderNames.PAUSED::equals)
                .isPresent();
        if (response.header("Content-Type").orElse("").startsWith(HeaderNames.SAFETENSORS)) {
            Pulled newest = parameters(call, response);
            long version = number(call, response, HeaderNames.VERSION);
            String outcome = response.header(HeaderNames.OUTCOME).orElse("");
            return switch (outcome) {
                case "applied" ->
                    new PushResult.Applied(
                            version,
                            number(call, response, HeaderNames.STALENESS),
                            false,
                            isPaused,
                            Optional.of(newest));
                case "duplicate" -> new PushResult.Duplicate("applied", version, false, isPaused, Optional.of(newest));
                default -> throw unknownOutcome(call, outcome);
            };
        }
        PushReply reply = decode(call, response, PushReply.class);
        return switch (reply.outcome()) {
            case "applied" ->
                new PushResult.Applied(
                        reply.version(), reply.staleness(), reply.awaitNext(), isPaused, Optional.empty());
            case "buffered" -> new PushResult.Buffered(reply.version(), reply.awaitNext(), isPaused);
            case "staged", "dropped", "open" -> new PushResult.Undecided(reply.outcome());
            case "duplicate" ->
                new PushResult.Duplicate(
                        Optional.ofNullable(reply.first()).orElse(""),
                        reply.version(),
                        reply.awaitNext(),
                        isPaused,
                        Optional.empty());
            default -> throw unknownOutcome(call, reply.outcome());
        };
    }

    private static IOException unknownOutcome(String call, String outcome) {
        return new IOException("%s answered the unknown outcome '%s'".formatted(call, outcome));
    }

    private static PushResult conflict(Problem problem) {
        if (problem.is(ProblemKind.UNKNOWN_WORKER)) {
            return new PushResult.UnknownWorker(problem);
        }
        return problem.is(ProblemKind.NO_PARAMETERS)
                ? new PushResult.NotInitialized(problem)
                : new PushResult.Stale(problem);
    }

    private static long number(String call, Response response, String header) throws IOException {
        String value = response.header(header).orElse("");
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException notANumber) {
            throw new IOException("%s answered '%s' for the header %s".formatted(call, value, header), notANumber);
        }
    }
}
