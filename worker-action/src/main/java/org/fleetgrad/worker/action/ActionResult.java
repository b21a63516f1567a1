package org.fleetgrad.worker.action;

import java.util.Map;

/** The result of an activation, in OpenWhisk's terms. */
public sealed interface ActionResult {

    /** Returns the response's JSON object. */
    Map<String, Object> body();

    /**
     * The activation succeeded.
     *
     * @param body the counts, by their names
     */
    record Success(Map<String, Object> body) implements ActionResult {}

    /**
     * The activation failed because of its input or its environment; the container stays warm.
     *
     * @param code    400: parameters or settings are wrong; 401, 403: keys are refused, or the server is not trusted; 404: the
     *     shard cannot be fetched; 409: the server has no work yet; 422: training cannot go on, because a shard is damaged or
     *     the model diverged; 504: the server is unreachable, or refused something else
     * @param message what is wrong, for people
     */
    record ApplicationError(int code, String message) implements ActionResult {
        @Override
        public Map<String, Object> body() {
            return Map.of("error", message, "code", code);
        }
    }
}
