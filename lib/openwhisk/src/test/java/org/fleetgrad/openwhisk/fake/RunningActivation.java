package org.fleetgrad.openwhisk.fake;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** One activation from its acceptance on. It has a record once it has ended. */
final class RunningActivation {

    private final String id;
    private final StoredAction action;
    private final ObjectNode value;
    private final long accepted = System.currentTimeMillis();
    private final CompletableFuture<ObjectNode> record = new CompletableFuture<>();
    private final AtomicInteger looks = new AtomicInteger();

    RunningActivation(String id, StoredAction action, ObjectNode value) {
        this.id = id;
        this.action = action;
        this.value = value;
    }

    String id() {
        return id;
    }

    StoredAction action() {
        return action;
    }

    ObjectNode value() {
        return value;
    }

    CompletableFuture<ObjectNode> record() {
        return record;
    }

    /** Returns whether a request finds the record: the first {@code looksUntilStored} requests after the end do not. */
    boolean isStored(int looksUntilStored) {
        return record.isDone() && looks.getAndIncrement() >= looksUntilStored;
    }

    /** Ends the activation. */
    void end(ActionResponse response, long start, OptionalLong initMillis, List<String> logs) {
        long end = System.currentTimeMillis();
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("activationId", id);
        document.put("namespace", FakeOpenWhisk.NAMESPACE);
        document.put("name", action.name());
        document.put("subject", FakeOpenWhisk.NAMESPACE);
        document.put("version", action.version());
        document.put("publish", false);
        document.put("start", start);
        document.put("end", end);
        document.put("duration", end - start);
        document.putObject("response")
                .put("status", response.status().word())
                .put("success", !response.isDeadly() && !response.result().has("error"))
                .set("result", response.result());
        ArrayNode lines = document.putArray("logs");
        logs.forEach(lines::add);
        ArrayNode annotations = document.putArray("annotations");
        annotate(annotations, "path").put("value", FakeOpenWhisk.NAMESPACE + "/" + action.name());
        annotate(annotations, "kind").put("value", "blackbox");
        annotate(annotations, "limits").set("value", action.document().path("limits"));
        annotate(annotations, "waitTime").put("value", Math.max(0, start - accepted));
        if (initMillis.isPresent()) {
            annotate(annotations, "initTime").put("value", initMillis.getAsLong());
        }
        annotate(annotations, "timeout").put("value", response.isTimeout());
        record.complete(document);
    }

    private static ObjectNode annotate(ArrayNode annotations, String key) {
        return annotations.addObject().put("key", key);
    }
}
