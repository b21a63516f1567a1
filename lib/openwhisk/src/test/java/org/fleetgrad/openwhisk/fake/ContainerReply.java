package org.fleetgrad.openwhisk.fake;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a container did with a request, and what OpenWhisk makes of it. */
sealed interface ContainerReply {

    /** It answered, with a length. */
    record Answered(int status, byte[] body) implements ContainerReply {

        /** Bytes of an answer that is too long that are shown. */
        private static final int SHOWN = 1024;

        private static final int OK = 200;
        private static final int SERVICE_UNAVAILABLE = 503;

        boolean isReady() {
            return status == OK;
        }

        /** Tells whether it is going, and wants another to do the work. */
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

    /** Nobody listens there. */
    record Absent() implements ContainerReply {}

    /** The time was over. */
    record Late() implements ContainerReply {}

    /** The connection broke, or the answer is not one that OpenWhisk reads: in chunks, or without a length. */
    record Broken() implements ContainerReply {}
}
