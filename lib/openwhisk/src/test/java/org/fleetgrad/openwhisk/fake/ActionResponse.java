package org.fleetgrad.openwhisk.fake;

import org.fleetgrad.openwhisk.ActivationStatus;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** How an activation ended, in a record's terms. */
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

    /** Tells whether its container is destroyed: any end but a success and an error of the action's own. */
    boolean isDeadly() {
        return status == ActivationStatus.DEVELOPER_ERROR || status == ActivationStatus.WHISK_ERROR;
    }
}
