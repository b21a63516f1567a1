package org.fleetgrad.openwhisk.fake;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A container's reaction to a request, and OpenWhisk's interpretation of it. */
sealed interface ContainerReply {

    /** The container answered, with a length. */
    record Answered(int status, byte[] body) implements ContainerReply {

        /** The number of bytes shown of a response that is too long. */
        private static final int SHOWN = 1024;

        private static final int OK = 200;
        private static final int SERVICE_UNAVAILABLE = 503;

        boolean isReady() {
            return status == OK;
        }

        /** Returns whether the container is shutting down, so that another container must do the work. */
        boolean isGoing() {
            return status == SERVICE_UNAVAILABLE;
        }

        private String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        private @Nullable JsonNode json() {
            try {
                return JsonMapper.shared().readTree(text());
            } catch (JacksonException notJson) {
                return null;
            }
        }

        ActionResponse failedInit() {
            JsonNode json = json();
            return json != null && json.has("error")
                    ? ActionResponse.developerError(json.get("error"))
                    : ActionResponse.developerError(
                            "The action failed during initialization" + (body.length == 0 ? "." : ": " + text()));
        }

        ActionResponse run(int longest) {
            if (body.length > longest) {
                return ActionResponse.applicationError(ActionResponse.text(
                        "The action produced a response that exceeded the allowed length: %d > %d bytes. The truncated response was: %s"
                                .formatted(
                                        body.length,
                                        longest,
                                        new String(body, 0, Math.min(SHOWN, body.length), StandardCharsets.UTF_8))));
            }
            JsonNode json = json();
            if (json != null && json.isObject() && json.has("error")) {
                return status == OK
                        ? ActionResponse.applicationError(json.get("error"))
                        : ActionResponse.developerError(json.get("error"));
            }
            if (status == OK && json != null && (json.isObject() || json.isArray())) {
                return ActionResponse.success(json);
            }
            return ActionResponse.developerError(
                    "The action did not produce a valid JSON response" + (body.length == 0 ? "." : ": " + text()));
        }
    }

    /** The container does not listen. */
    record Absent() implements ContainerReply {}

    /** The container accepted the request, and closed the connection without a byte of a response: it was killed. */
    record Silent() implements ContainerReply {}

    /** The time limit passed. */
    record Late() implements ContainerReply {}

    /** The connection broke, or OpenWhisk cannot read the response: it is chunked, or has no length. */
    record Broken() implements ContainerReply {}
}
