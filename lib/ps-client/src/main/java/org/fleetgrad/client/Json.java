package org.fleetgrad.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import org.fleetgrad.protocol.messages.Problem;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Serializes the contract's records as JSON and back; ignores members that this client does not know. */
final class Json {

    /** Absent members are left out: the contract has no null. */
    private final JsonMapper mapper = JsonMapper.builder()
            .changeDefaultPropertyInclusion(ignored -> JsonInclude.Value.ALL_NON_NULL)
            .build();

    byte[] write(Object message) {
        return mapper.writeValueAsBytes(message);
    }

    <T> T read(CallResponse answer, Class<T> type) throws IOException {
        try {
            T reply = mapper.readValue(bytes(answer.response()), type);
            if (reply == null) {
                throw new IOException(
                        "%s answered null instead of a %s".formatted(answer.call(), type.getSimpleName()));
            }
            requireComplete(answer, reply);
            return reply;
        } catch (JacksonException malformed) {
            throw new IOException(
                    "%s answered something other than a %s: %s"
                            .formatted(answer.call(), type.getSimpleName(), malformed.getOriginalMessage()),
                    malformed);
        }
    }

    /**
     * Checks that every member is present, unless the record declares it nullable. Otherwise a missing one would fail
     * only when it is used.
     */
    private static void requireComplete(CallResponse answer, Object reply) throws IOException {
        for (RecordComponent component : reply.getClass().getRecordComponents()) {
            if (!component.getAnnotatedType().isAnnotationPresent(Nullable.class) && value(component, reply) == null) {
                throw new IOException("%s answered a %s without '%s'"
                        .formatted(answer.call(), reply.getClass().getSimpleName(), component.getName()));
            }
        }
    }

    private static @Nullable Object value(RecordComponent component, Object reply) {
        try {
            return component.getAccessor().invoke(reply);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("the accessors of " + reply.getClass() + " are public", impossible);
        }
    }

    /** Reads a problem; any other body becomes the detail of one, so that the user sees a proxy's error page. */
    Problem problem(Transport.Response response) {
        try {
            Problem problem = mapper.readValue(bytes(response), Problem.class);
            if (problem != null && problem.status() != 0) {
                return problem;
            }
        } catch (JacksonException notAProblem) {
            // Falls through: the body is shown as received.
        }
        String text = new String(bytes(response), StandardCharsets.UTF_8).strip();
        String shown = text.length() > 200 ? text.substring(0, 200) + "…" : text.isEmpty() ? "no body" : text;
        return new Problem(null, null, response.status(), response.status(), shown);
    }

    private static byte[] bytes(Transport.Response response) {
        byte[] bytes = new byte[response.body().remaining()];
        response.body().duplicate().get(bytes);
        return bytes;
    }
}
