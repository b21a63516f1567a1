package org.fleetgrad.openwhisk.fake;

import org.fleetgrad.openwhisk.ActivationRecord.ActivationStatus;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The end of an activation, in the terms of a record. */
record ActionResponse(ActivationStatus status, JsonNode result, boolean isTimeout) {

    static ActionResponse success(JsonNode result) {
        return new ActionResponse(ActivationStatus.SUCCESS, result, false);
    }

    static ActionResponse applicationError(JsonNode error) {
        return new ActionResponse(ActivationStatus.APPLICATION_ERROR, of(error), false);
    }

    static ActionResponse developerError(JsonNode error) {
        return new ActionResponse(ActivationStatus.DEVELOPER_ERROR, of(error), false);
    }

    static ActionResponse developerError(String error) {
        return developerError(text(error));
    }

    static ActionResponse timeout(long millis, boolean isInit) {
        String message = "The action exceeded its time limits of %d milliseconds%s"
                .formatted(millis, isInit ? " during initialization." : ".");
        return new ActionResponse(ActivationStatus.DEVELOPER_ERROR, of(text(message)), true);
    }

    static ActionResponse whiskError(String error) {
        return new ActionResponse(ActivationStatus.WHISK_ERROR, of(text(error)), false);
    }

    static JsonNode text(String text) {
        return JsonNodeFactory.instance.stringNode(text);
    }

    private static JsonNode of(JsonNode error) {
        return JsonNodeFactory.instance.objectNode().set("error", error);
    }

    /** Returns whether the container is destroyed: after any end but a success or an application error. */
    boolean isDeadly() {
        return status == ActivationStatus.DEVELOPER_ERROR || status == ActivationStatus.WHISK_ERROR;
    }
}
