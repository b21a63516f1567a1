package org.fleetgrad.worker.action;

import java.util.Map;

/** What an activation comes to, in OpenWhisk's terms. */
sealed interface ActionResult {

    /** Returns the answer's JSON object. */
    Map<String, Object> body();

    /** It did its work. */
    record Success(Map<String, Object> body) implements ActionResult {}

    /** Its input or its surroundings were wrong; the container stays warm. */
    record ApplicationError(int code, String message) implements ActionResult {
        @Override
        public Map<String, Object> body() {
            return Map.of("error", message, "code", code);
        }
    }
}
