package org.fleetgrad.openwhisk.fake;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The state and the decisions of a controller, without HTTP. */
final class FakeController implements FakeTriggers.Actions {

    private static final int OK = 200;
    private static final int ACCEPTED = 202;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int TOO_LARGE = 413;
    private static final int INTERNAL_ERROR = 500;
    private static final int BAD_GATEWAY = 502;
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final int LONGEST_PARAMETERS = 1024 * 1024;
    private static final String ABSENT = "The requested resource does not exist.";

    /** A response; {@code isLost} means that the connection breaks instead. */
    record Reply(int status, JsonNode body, Optional<String> activationId, boolean isLost) {

        static Reply of(int status, JsonNode body) {
            return new Reply(status, body, Optional.empty(), false);
        }
    }

    private final FakeSettings settings;
    private final FakeInvoker invoker;
    private final Rates rates;
    private final Map<String, StoredAction> actions = new ConcurrentHashMap<>();
    private final Map<String, RunningActivation> activations = new ConcurrentHashMap<>();
    private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();

    FakeController(FakeSettings settings, FakeInvoker invoker) {
        this.settings = settings;
        this.invoker = invoker;
        this.rates = new Rates(settings);
    }

    void atNextInvocation(Fault fault) {
        faults.add(fault);
    }

    synchronized Reply putAction(String name, byte[] body, boolean isOverwriting) throws Refusal {
        StoredAction old = actions.get(name);
        if (old != null && !isOverwriting) {
            throw new Refusal(CONFLICT, "resource already exists");
        }
        JsonNode sent = Requests.object(body);
        int parameters = sent.path("parameters").toString().length();
        if (parameters > LONGEST_PARAMETERS) {
            throw new Refusal(
                    TOO_LARGE,
                    "Parameters larger than allowed: %d > %d bytes.".formatted(parameters, LONGEST_PARAMETERS));
        }
        int revision = old == null ? 1 : Integer.parseInt(old.version().substring("0.0.".length())) + 1;
        StoredAction action = StoredAction.of(name, revision, sent, settings);
        actions.put(name, action);
        return Reply.of(OK, action.document());
    }

    Reply getAction(String name) throws Refusal {
        return Reply.of(OK, action(name).document());
    }

    Reply deleteAction(String name) throws Refusal {
        StoredAction deleted = action(name);
        actions.remove(name);
        return Reply.of(OK, deleted.document());
    }

    /** Invokes an action because a trigger fired. */
    @Override
    public String invoke(String action, ObjectNode event) throws Refusal, InterruptedException {
        Reply reply = invoke(action, event.toString().getBytes(StandardCharsets.UTF_8), Map.of());
        return reply.body().path("activationId").asString("");
    }

    @Override
    public boolean exists(String action) {
        return actions.containsKey(action);
    }

    /** Returns a stored action's document. */
    JsonNode stored(String name) {
        StoredAction action = actions.get(name);
        if (action == null) {
            throw new IllegalArgumentException("there is no action " + name);
        }
        return action.document();
    }

    private StoredAction action(String name) throws Refusal {
        StoredAction action = actions.get(name);
        if (action == null) {
            throw new Refusal(NOT_FOUND, ABSENT);
        }
        return action;
    }

    /** Accepts an invocation, and waits for its end if it is blocking. */
    Reply invoke(String name, byte[] body, Map<String, String> query) throws Refusal, InterruptedException {
        Fault fault = faults.poll();
        if (fault == Fault.UNAVAILABLE) {
            throw new Refusal(SERVICE_UNAVAILABLE, "The service is unavailable.");
        }
        RunningActivation activation = accept(name, body);
        if (fault != Fault.LOST_ACTIVATION) {
            invoker.submit(activation);
        }
        if (fault == Fault.GATEWAY_TIMEOUT) {
            return Reply.of(GATEWAY_TIMEOUT, ActionResponse.text("upstream timed out"));
        }
        Reply reply = "true".equals(query.get("blocking")) ? awaited(activation, query) : accepted(activation);
        return fault == Fault.LOST_ANSWER ? new Reply(reply.status(), reply.body(), Optional.empty(), true) : reply;
    }

    /** Synchronized, so that two invocations cannot take the last slot. */
    private synchronized RunningActivation accept(String name, byte[] body) throws Refusal {
        rates.admit(activations.values().stream()
                .filter(activation -> !activation.record().isDone())
                .count());
        StoredAction action = action(name);
        if (body.length > settings.payloadBytes()) {
            throw new Refusal(
                    TOO_LARGE,
                    "Request larger than allowed: %d > %d bytes.".formatted(body.length, settings.payloadBytes()));
        }
        ObjectNode value = body.length == 0 ? JsonNodeFactory.instance.objectNode() : Requests.object(body);
        String id = UUID.randomUUID().toString().replace("-", "");
        RunningActivation activation = new RunningActivation(id, action, value);
        activations.put(id, activation);
        return activation;
    }

    private static Reply accepted(RunningActivation activation) {
        return new Reply(
                ACCEPTED,
                JsonNodeFactory.instance.objectNode().put("activationId", activation.id()),
                Optional.of(activation.id()),
                false);
    }

    private Reply awaited(RunningActivation activation, Map<String, String> query)
            throws Refusal, InterruptedException {
        Duration wait = settings.blockingWait();
        String shorter = query.get("timeout");
        if (shorter != null) {
            if (!shorter.matches("\\d{1,9}") || Long.parseLong(shorter) > wait.toMillis()) {
                throw new Refusal(
                        BAD_REQUEST, "Timeout must be number of milliseconds up to %d.".formatted(wait.toMillis()));
            }
            wait = Duration.ofMillis(Long.parseLong(shorter));
        }
        try {
            ObjectNode record = activation.record().get(wait.toMillis(), TimeUnit.MILLISECONDS);
            JsonNode shown =
                    "true".equals(query.get("result")) ? record.path("response").path("result") : record;
            return new Reply(status(record), shown, Optional.of(activation.id()), false);
        } catch (TimeoutException stillRunning) {
            return accepted(activation);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("a record is never a failure", impossible);
        }
    }

    private static int status(ObjectNode record) {
        return switch (record.path("response").path("status").stringValue()) {
            case "success" -> OK;
            case "whisk internal error" -> INTERNAL_ERROR;
            default -> BAD_GATEWAY;
        };
    }

    /** Returns a record, or the requested part of it. */
    Reply activation(String id, String part) throws Refusal {
        RunningActivation activation = activations.get(id);
        if (activation == null || !activation.isStored(settings.looksUntilStored())) {
            throw new Refusal(NOT_FOUND, ABSENT);
        }
        ObjectNode record = activation.record().join();
        return Reply.of(
                OK,
                switch (part) {
                    case "" -> record;
                    case "result" -> record.path("response");
                    case "logs" -> JsonNodeFactory.instance.objectNode().set("logs", record.path("logs"));
                    default -> throw new Refusal(NOT_FOUND, ABSENT);
                });
    }

    Reply limits() {
        return Reply.of(
                OK,
                JsonNodeFactory.instance
                        .objectNode()
                        .put("concurrentInvocations", settings.concurrentInvocations())
                        .put("firesPerMinute", settings.invocationsPerMinute())
                        .put("invocationsPerMinute", settings.invocationsPerMinute()));
    }

    /** Returns how many activations were accepted and have not ended. */
    int underWay() {
        return (int) activations.values().stream()
                .filter(activation -> !activation.record().isDone())
                .count();
    }

    /** Returns the records of all ended activations. */
    List<ObjectNode> records() {
        return activations.values().stream()
                .filter(activation -> activation.record().isDone())
                .map(activation -> activation.record().join())
                .toList();
    }
}
