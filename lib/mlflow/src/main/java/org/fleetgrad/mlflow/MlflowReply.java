package org.fleetgrad.mlflow;

import tools.jackson.databind.JsonNode;

/** What a server says to a request that it has understood. */
sealed interface MlflowReply {

    /** It has done what was asked. */
    record Done(JsonNode body) implements MlflowReply {}

    /**
     * It will not, and would not if it were asked again.
     *
     * @param code    MLflow's, such as {@code RESOURCE_DOES_NOT_EXIST}; empty if another program answered
     * @param message for a person, safe to show
     */
    record Refused(String code, String message) implements MlflowReply {}
}
