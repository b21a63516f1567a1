package org.fleetgrad.openwhisk.fake;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.fleetgrad.openwhisk.fake.FakeController.Reply;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Triggers and rules, as a controller stores them (core/controller/Triggers.scala and Rules.scala): a trigger knows its rules and
 * whether each is active; a new rule is active, and one whose trigger was recreated is not; a trigger without an active rule
 * answers 204. The record of a trigger's activation has a line for each rule. A controller invokes the actions of rules by calling itself at
 * {@code localhost} (Triggers.postActivation), where a standalone on Linux does not listen: then each line has an error.
 */
final class FakeTriggers {

    private static final int OK = 200;
    private static final int ACCEPTED = 202;
    private static final int NO_CONTENT = 204;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    /** As ActivationResponse.scala has them. */
    private static final int APPLICATION_ERROR = 1;

    private static final int WHISK_ERROR = 3;
    private static final String ABSENT = "The requested resource does not exist.";

    /** Invokes an action. */
    interface Actions {
        /** Returns the activation's id. */
        String invoke(String action, ObjectNode event) throws Refusal, InterruptedException;

        boolean exists(String action);
    }

    private record Trigger(ObjectNode parameters, Map<String, Boolean> rules) {}

    private record Rule(String trigger, String action) {}

    private final Actions actions;
    private final Map<String, Trigger> triggers = new TreeMap<>();
    private final Map<String, Rule> rules = new TreeMap<>();
    private final Map<String, ArrayNode> fired = new TreeMap<>();
    private boolean isDeafToItself;

    FakeTriggers(Actions actions) {
        this.actions = actions;
    }

    synchronized Reply trigger(String method, String name, byte[] body, boolean isOverwriting)
            throws Refusal, InterruptedException {
        switch (method) {
            case "PUT" -> put(name, Requests.object(body), isOverwriting);
            case "POST" -> {
                return fire(existing(triggers.get(name)), body);
            }
            case "DELETE" -> {
                existing(triggers.remove(name));
                return Reply.of(OK, named(name));
            }
            default -> existing(triggers.get(name));
        }
        return Reply.of(OK, named(name));
    }

    private void put(String name, ObjectNode sent, boolean isOverwriting) throws Refusal {
        Trigger old = triggers.get(name);
        requireNew(old, isOverwriting);
        ObjectNode parameters = JsonNodeFactory.instance.objectNode();
        for (JsonNode parameter : sent.path("parameters")) {
            parameters.set(parameter.path("key").stringValue(), parameter.path("value"));
        }
        triggers.put(name, new Trigger(parameters, old == null ? new TreeMap<>() : old.rules()));
    }

    private Reply fire(Trigger trigger, byte[] body) throws Refusal, InterruptedException {
        if (!trigger.rules().containsValue(true)) {
            return Reply.of(NO_CONTENT, JsonNodeFactory.instance.objectNode());
        }
        ObjectNode event = trigger.parameters().deepCopy();
        if (body.length > 0) {
            event.setAll(Requests.object(body));
        }
        ArrayNode lines = JsonNodeFactory.instance.arrayNode();
        for (Map.Entry<String, Boolean> link : trigger.rules().entrySet()) {
            if (link.getValue()) {
                lines.add(
                        result(link.getKey(), existing(rules.get(link.getKey())).action(), event)
                                .toString());
            }
        }
        String id = UUID.randomUUID().toString().replace("-", "");
        fired.put(id, lines);
        return new Reply(
                ACCEPTED, JsonNodeFactory.instance.objectNode().put("activationId", id), Optional.of(id), false);
    }

    private ObjectNode result(String rule, String action, ObjectNode event) throws InterruptedException {
        ObjectNode result =
                JsonNodeFactory.instance.objectNode().put("rule", rule).put("action", action);
        if (isDeafToItself) {
            return result.put("statusCode", WHISK_ERROR)
                    .put("success", false)
                    .put("error", "There was an internal server error.");
        }
        try {
            String id = actions.invoke(action, event);
            return result.put("statusCode", 0).put("success", true).put("activationId", id);
        } catch (Refusal refused) {
            return result.put("statusCode", APPLICATION_ERROR)
                    .put("success", false)
                    .put("error", String.valueOf(refused.getMessage()));
        }
    }

    synchronized void deafen() {
        isDeafToItself = true;
    }

    /** Returns the record of a trigger's activation; empty if there is none with this id. */
    synchronized Optional<Reply> record(String id) {
        return Optional.ofNullable(fired.get(id))
                .map(lines -> Reply.of(
                        OK,
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("activationId", id)
                                .set("logs", lines)));
    }

    synchronized Reply rule(String method, String name, byte[] body, boolean isOverwriting) throws Refusal {
        switch (method) {
            case "PUT" -> putRule(name, Requests.object(body), isOverwriting);
            case "POST" -> change(name, Requests.object(body).path("status").asString(""));
            case "DELETE" -> {
                Trigger linked = triggers.get(existing(rules.remove(name)).trigger());
                if (linked != null) {
                    linked.rules().remove(name);
                }
                return Reply.of(OK, named(name).put("status", "inactive"));
            }
            default -> existing(rules.get(name));
        }
        Trigger linked = triggers.get(existing(rules.get(name)).trigger());
        boolean isActive = linked != null && linked.rules().getOrDefault(name, false);
        return Reply.of(OK, named(name).put("status", isActive ? "active" : "inactive"));
    }

    private void putRule(String name, ObjectNode sent, boolean isOverwriting) throws Refusal {
        Rule old = rules.get(name);
        requireNew(old, isOverwriting);
        Rule rule = new Rule(
                own(sent.path("trigger").asString("")), own(sent.path("action").asString("")));
        Trigger trigger = triggers.get(rule.trigger());
        if (trigger == null || !actions.exists(rule.action())) {
            throw new Refusal(
                    BAD_REQUEST, "%s does not exist".formatted(trigger == null ? rule.trigger() : rule.action()));
        }
        boolean isActive = old == null || trigger.rules().getOrDefault(name, false);
        if (old != null && !old.trigger().equals(rule.trigger()) && triggers.get(old.trigger()) != null) {
            triggers.get(old.trigger()).rules().remove(name);
        }
        rules.put(name, rule);
        trigger.rules().put(name, isActive);
    }

    private void change(String name, String status) throws Refusal {
        if (!status.equals("active") && !status.equals("inactive")) {
            throw new Refusal(
                    BAD_REQUEST, "The request content was malformed:\n'%s' is not a status".formatted(status));
        }
        existing(triggers.get(existing(rules.get(name)).trigger())).rules().put(name, status.equals("active"));
    }

    /** Reads a name with its namespace, {@code /_/NAME}. */
    private static String own(String name) throws Refusal {
        for (String namespace : new String[] {"/_/", "/" + FakeOpenWhisk.NAMESPACE + "/"}) {
            if (name.startsWith(namespace)) {
                return name.substring(namespace.length());
            }
        }
        throw new Refusal(
                BAD_REQUEST, "The request content was malformed:\nname '%s' has no namespace".formatted(name));
    }

    private static void requireNew(@Nullable Object old, boolean isOverwriting) throws Refusal {
        if (old != null && !isOverwriting) {
            throw new Refusal(CONFLICT, "resource already exists");
        }
    }

    private static <T> T existing(@Nullable T entity) throws Refusal {
        if (entity == null) {
            throw new Refusal(NOT_FOUND, ABSENT);
        }
        return entity;
    }

    private static ObjectNode named(String name) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("namespace", FakeOpenWhisk.NAMESPACE)
                .put("name", name);
    }
}
